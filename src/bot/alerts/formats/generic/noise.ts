import { type Fact, normalizedName } from '../../facts.ts';
import type { MessageContent } from '../../message.ts';
import { plainText, withoutMarkup } from '../../slack-text.ts';
import { ALERT_FIELDS, DONE, INFO_MARKERS, words } from '../../vocabulary.ts';
import { sentenceState } from '../../wording.ts';

/** Reports, schedules, talk: problems they mention are not current ones, whatever else they say. */
const NOISE = new RegExp(
  [
    '(?:\\b(?:to|now)|→|->) insufficient[ _]data\\b',
    '^\\W*(?:blog|rss|podcast|video|article|news|jira|trivia|question of the day|reminder|meeting|minutes|agenda|poll|survey|tweet|newsletter|fyi|tip|quiz|did you know|do you know|fun fact|welcome|thanks|thank you|happy|congrat\\w*|good (?:morning|evening|night|afternoon)|hello|hi|hey)\\b(?![.-]\\w)',
    words(
      'recap|digest|round-?up|hand-?over|hand(?:ed|ing) (?:it |things |on-call |the (?:pager|shift|watch) )?(?:over|off|to)|(?:hand|pass)(?:ed|ing) the (?:pager|baton)|hand-?off|scorecard|stand-?up|changelog|release notes|week \\d{1,2}',
      'retro|retrospective|post-?mortem|(?:incident|alert) (?:review|report|channel|process|template|response training|metrics|statistics)',
      'alert\\(s\\) posted|(?:this is (?:only |just )?an?|a) test(?: of| notification| alert| message)?|test (?:alert|notification|message|page|incident)|test-?alarm|drill|dry.?run|game ?day|chaos|simulated|simulation',
      '(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annual|morning|evening|midday)\\b.{0,40}\\b(?:report|summary|stats|statistics|review|overview|numbers|figures|briefing|update|newsletter|metrics)(?! (?:job|service|task|worker|export|pipeline|generator|run|cron|query))',
      '(?:sla|slo|status|incidents?|costs?|usage|uptime|availability|performance|audit|security|capacity|coverage|test|traffic) (?:report|overview|summary)(?! (?:job|failed|service))|(?:report|summary|statistics|stats|metrics|figures) (?:for|of|is ready|are ready)|(?:on-?call|shift|rotation)\\b.{0,40}\\b(?:schedule|summary|starts|started|ends|ended|changed|takes over|until|begins|week|change)',
    ).source,
  ].join('|'),
  'u',
);
/** Topics of project-management and chat tools. */
const TOPIC = words(
  'coverage|(?:pull|merge) request|[pm]r [#!]?\\d+|review(?:s|ed|er)? (?:requested|request|of|by|is)|comment(?:s|ed)?(?: (?:of|on|by|from|in))|(?:sprint|story points|epic|kanban)|votes?|coffee|lunch|menu|cake',
  'followers?|subscribed|upgrade now|upgraded to|trial (?:ends|expires)|lead|deal|signed (?:up|in|off)|has joined|joined the|holidays?|out of office|calendar|meeting|interview|candidate',
  'edited by|was edited|new (?:runbook|playbook|guide|dashboard|feature|version|release|follower|customer|user|member|subscriber|comment|review|lead|order|message from|blog|post|channel|article|candidate|signup|hire|ticket|task|card|idea|document|page|file|video|survey|invoice)|feature flag|bump|dependabot|terraform (?:plan|apply)|scheduled maintenance|maintenance (?:window|of|on|for|begins|starts|is|will|tonight|tomorrow)',
  '(?:release|version) v?\\d[\\w.]*|v?\\d+\\.\\d+(?:\\.\\d+)? (?:is out|released|is available|is live|rolled out)|(?:deploy(?:ment|ing|s)?|rollout|release|rolling out|canary)\\b.{0,60}\\b(?:started|starts|finished|complete[ds]?|is live|in progress|by \\w+|at \\d|to (?:production|prod|staging|dev)|is now at|begins|approved|waiting|queued|successful\\w*|done)(?!.{0,30}\\bfail)|deploying',
  '(?:opened|created|filed|closed|updated) (?:an? |new |the )?(?:issue|ticket|task|story|card|bug)|ticket \\S{1,20} (?:was |has been |is )?(?:created|assigned|updated|closed|opened|commented|moved|resolved)|(?:ticket|task|story|card|bug|issue) (?:#?[\\w-]{1,20} )?(?:was |has been )?(?:opened|created|closed|moved|assigned|completed|added|commented|updated|labell?ed|re-?opened)(?: by| to| in|:)|order #?\\d+ (?:was |is |has been )?(?:paid|shipped|placed|delivered|confirmed|created|refunded)|payment (?:of|received)|purchase[ds]?|weather',
  'thanks|office|(?:started|created|closed|new) (?:an? |the )?poll|(?:pipeline|build|tests?|workflow|release|migration|import|export|cron\\w*)\\b.{0,60}\\b(?:finished|succeeded|passed|completed|successful(?:ly)?)(?!.{0,40}(?:fail|error|recover|again))|reminder|builds?\\b.{0,40}\\b(?:green|ok|stable|fixed)|reviewers?|overdue tasks?|huddle|deploy window|capacity planning|planning for|new answer|(?:asked|answered)(?: by| a question)?|approved (?:the |a |change|by)|chg-?\\d+|error budget.{0,40}(?:left|remaining)|week over week|all systems|status page (?:was|updated)|fix(?:es|ed|ing)? (?:the|a|an|for|crash|error|bug|typo|issue|flaky)|error message of|t-shirts?|feedback',
);
/** Successes and completed work. */
const NOTICE = words(
  DONE,
  'merged|passing|done|ready|created|updated|deleted|approved|failed over|running new version|scaled|scheduled|cancell?ed|aborted by|skipped|opened issue|joined|assigned|edited|renamed|moved|added|removed|uploaded|generated|imported|exported|synced|enabled|disabled by|turned (?:on|off)|changed by|paid|applied|rotated|upgraded|installed|rebooted by|restarted by|signed|archived|requested|was renewed|rollback (?:of \\S+ )?(?:by|finished|completed)|tagged|pushed|refreshed|migrated|provisioned|registered|logged in|closed by|triggered by|started by|in progress',
);
/** Work done by people: `Dana approved …`. */
const PERSON_DID =
  /^\W*(?:\p{Lu}\w{1,20}: )?\p{Lu}\p{Ll}+(?: \p{Lu}\p{L}+)? (?:has |just |also )?(?:approved|closed|opened|pushed|scheduled|merged|commented|created|updated|shared|invited|joined|assigned|added|removed|uploaded|edited|renamed|requested|posted|replied|asked|answered|won|is deploying|deployed|published|mentioned|signed|moved|booked|changed|set|marked|reviewed|submitted|completed|is on call|is now on call|cancelled|paid|voted|liked|wrote|says|said|thinks|wants)\b|^\W*(?:We(?! (?:have |just |were |are )?(?:detected|noticed|observed|registered|received no|could not|couldn['’]t|cannot|can['’]t|unable|failed)\b)|I|Let's|You have|Please|Everyone|Team)\b(?!-)/u;
/** Several counts, one of them of successes: a summary. */
const COUNTS =
  /\b\d[\d,.]{0,12} (?:[a-z-]{2,20} ){0,2}[a-z-]{2,20}(?:,| and|;| ·| \||\n) ?(?:and )?\d[\d,.]{0,12} (?:[a-z-]{2,20} ?){1,2}/iu;
const WELL =
  /\b(?:passed|succeeded|successful|resolved|ok|completed|skipped|closed|added|healthy|ran|new|merged|done|processed|sent|delivered|mean time)\b/iu;
/** Fields of cards about work, sales and people. */
const WORK_FIELDS =
  /^(?:assignee|reporter|assigned to|branch|commit|author|sprint|story points|epic|attendees|tests|amount|customer|plan|votes|deadline|due|due date|guests|reviewers?|requested by|approved by|merged by|deployed by|created by|by|changes|tickets|total|order|price|candidate|location of meeting|invited|company|deal|stage of deal|mrr|speaker|agenda|link to form|goal|ends|labels?|milestone|pr|pull request|tag|changelog|release notes|actor|committer|passed|coverage)$/u;
/** A bot about its own work on an alert: in the first person, or in progress. */
const FIRST_PERSON =
  /^\W{0,6}(?:(?:i|we)(?:['’](?:m|ve|ll|re|d))? (?!\/|(?:have |just |were |are )?(?:detected|noticed|observed|registered|received no|could not|couldn['’]t|cannot|can['’]t|unable|failed)\b)|let me\b|(?:looking|digging|diving) into\b|(?:taking|having) a (?:closer |quick )?look|(?:now |currently |still )?investigating(?:,| (?:the|this|it|a|an|now|why|possible|further|what)\b|[.…]|$)|checking (?:the|this|it|whether|if|logs|what|why)\b|on it\b|working on (?:it|this|the|a fix)\b|(?:now |currently )?(?:analy[sz]ing|triaging|correlating|gathering)\b|(?:looks|sounds|smells|seems) (?:like|related|similar|to be)\b|this (?:looks|seems|appears|is (?:likely|probably))\b|(?:acknowledged|ack|noted|understood|got it|roger|thanks)[,.!:;]? |(?:my|our) (?:\w+ )?(?:analysis|guess|agent|assistant|bot|best)|based on\b|according to\b|here(?:['’]s| is| are)\b|possible duplicate|duplicate of\b|related (?:to|alerts?|incidents?)\b|similar (?:to|alerts?|incidents?)\b|update[ds]?:? (?:we|i|the team)\b|no action (?:is )?(?:needed|required)\b)/iu;
/** Titles of findings about an alert. */
const ANALYSIS =
  /^\W{0,6}(?:(?:ai|automated|automatic|auto|incident|alert|llm|copilot|agent|bot)[ -](?:generated )?(?:summary|analysis|triage|investigation|insights?|rca|diagnosis|digest|summari[sz]ation|assessment)\b|triage (?:of|for|result|summary|report|note|complete)|(?:root cause|rca|impact|log|trace|error|incident) (?:analysis|assessment)\b|rca\b|investigation (?:of|into|summary|update|result|report|notes?|complete|finished|started)|(?:analysis|diagnosis|findings|summary|summari[sz]ed) (?:of|for|complete)\b|what (?:happened|we know|i found)\b|preliminary (?:analysis|findings|assessment|root cause)|hypothes[ie]s\b|suggested (?:next steps|fix|actions?|remediation)\b)/iu;
/** Headings in such a text. */
const FINDING =
  /^\W{0,6}(?:(?:probable|likely|possible|suspected|potential|presumed|contributing|most likely) (?:root )?(?:cause|factor|culprit|trigger)s?|root cause analysis|hypothes[ie]s|recommendations?|recommended (?:actions?|next steps?|fix)|next steps?|suggested (?:fix|actions?|next steps?|remediation)|confidence(?: level| score)?|findings?|evidence|analysis|timeline|investigation|what happened|what changed|suspect(?:ed)? (?:commit|deploy|change)s?|blast radius|customer impact|mitigation|similar incidents?|open questions)\b[^:\n]{0,40}(?::|$)/iu;
/** Headings that alerts have as well. */
const PART =
  /^\W{0,6}(?:summary|impact|root cause|cause|remediation|actions?|details|tl;?dr|status)\b[^:\n]{0,20}:/iu;
/** Guesses; monitoring tools measure and do not guess. */
const GUESS = words(
  '(?:probably|likely|presumably|apparently|possibly|most likely) (?:\\w+ ){0,2}(?:caused|due|related|because|triggered|introduced|the (?:cause|culprit|result))|(?:appears?|seems?) to (?:be|have)|might be|may be (?:caused|related|due)|(?:probable|likely|suspected) (?:root )?cause|correlat(?:es|ed) with|confidence',
);
/** A report covers days; an alert looks at minutes or hours. */
const PERIOD = words(
  'today|yesterday|tonight|overnight|(?:this|last|past|previous|the) (?:\\d+ )?(?:day|week|month|quarter|year|weekend|sprint|night)s?|(?:last|past) (?:24|48|72) ?(?:h|hours|hrs)|24 ?h(?:ours)?|(?:7|14|28|30|31|60|90|365) ?d(?:ays)?|week (?:\\d{1,2}|of)|w\\d{2}|q[1-4]|month to date|year to date|mtd|ytd|wtd|(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annual)|(?:jan|febr)uary|march|april|june|july|august|(?:septem|octo|novem|decem)ber|(?:for|on|in|of|to|–|-) (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?!,? (?:\\d{4},? )?(?:at )?\\d{1,2}:)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec) \\d{1,2}(?!,? \\d{4},? (?:at )?\\d|,? (?:at )?\\d{1,2}:)|(?:for|of) (?:mon|tues|wednes|thurs|fri|satur|sun)day|\\d{4}-\\d{2}-\\d{2}(?!(?:,? at|,)? ?t?\\d{1,2}:)|\\d{4}-w\\d{2}',
);
/** Names of reports and of what they summarize. */
const REPORT = words(
  'reports?|tables?|lists?|summary|overview|digest|recap|round-?up|statistics|stats|breakdown|leaderboard|ranking|scoreboard|dashboard|snapshot|inventory|census|counts?|totals?|volumes?|trends?|numbers|figures|top \\d+|top (?:errors?|issues|exceptions|offenders|alerts|talkers|services|endpoints|queries|consumers|spenders)|by (?:team|repository|repo|cluster|service|severity|environment|region|host|project|endpoint|account|day|week)|per (?:team|service|severity|environment|region|host|project|endpoint|day|repository|repo|account|customer|cluster|month)',
);
/** The same words, if a period is named too. */
const MEASURED =
  /\b(?:errors|exceptions|failures|incidents|alerts|outages|uptime|availability|slos?|slas?|error budgets?|spend|costs?|bill|usage|latency|deploys|deployments|requests|traffic|pages|on-call|backups|tests|performance|reliability|health|crash-free)\b/iu;
/** A row of a table: a name followed by numbers. */
const ROW =
  /^\W{0,6}(?:\d{1,2}[.)] )?[`*_]{0,3}[\p{L}][^\n:|—–\t]{0,60}?[`*_]{0,3}(?::| {2,}|\t| ?[|—–:] ?| - |, | (?=[$€£]?\d))\s{0,40}(?:[^\n]{0,40}?[\s|])?[-+−↑↓$€£~]{0,3}\d/u;
/** Sources of other services' status updates. */
const SUBSCRIPTION =
  /\b(?:you are (?:now )?subscribed|you(?:['’]re| are) receiving this|status ?page (?:digest|update|subscription|summary)|(?:\d+|new) updates? from (?:your|\d+)|updates? from your providers|unsubscribe|manage (?:your )?subscription)\b|^\W{0,6}(?:identified|monitoring|update|scheduled|investigating) - \p{Lu}/imu;
/** What Kubernetes watchers report about every object. */
const CHANGED = /\bhas been `?(?:created|updated|deleted|scaled)\b/u;
const LINES = 60;
const LONGEST = 300;
/** Three counts in a row: a summary. */
const SUM =
  /\b\d[\d,.]{0,12} (?:[a-z-]{2,20} ?){1,3}(?:\([^)]{0,80}\))?(?:, | and | · | \| |; )(?:and )?\d[\d,.]{0,12} (?:[a-z-]{2,20} ?){1,3}(?:\([^)]{0,80}\))?(?:, | and | · | \| |; )(?:and )?\d[\d,.]{0,12} [a-z-]{2,20}/iu;
/** What reports count, although it sounds like a problem. */
const MANY =
  /\b(?:vulnerabilities|errors|exceptions|failures|incidents|outages|alerts|list) (?:per|by|in the last|of the|for|today|yesterday)\b|^\W{0,4}(?:daily|weekly|monthly|top)\b/u;
/** A table in a line: `shop 12, infra 3, docs 0`. */
const LISTED =
  /(?:[\p{L}][\w./-]{1,40} [$€£]?\d[\d,.]{0,12}%?(?: \([^)]{0,60}\))?, ){2}[\p{L}][\w./-]{1,40} [$€£]?\d/u;
/** Fields of a single alert. */
const OWN =
  /^(?:host|service|server|severity|time|date|started|since|duration|usage|used|free|available|size|total|status|state|region|environment|version|count|age|uptime|downtime|expires?|port|id|pid|exit code|code|url|link|runbook)(?: .{0,20})?$/u;

/** A text about one alert or many: a bot's follow-up or guess, a report, a table. */
type SummaryKind = 'follow-up' | 'report' | 'table' | 'guess' | null;

/** The weight of what is never an alert. */
export const DECISIVE = 100;

/** Whether a line is of work, talk or a period, not of something that is wrong now. */
export function isWork(line: string): boolean {
  const lower = line.toLowerCase();
  return (
    [NOISE, TOPIC, NOTICE].some((words) => words.test(lower)) || PERSON_DID.test(line) || PERIOD.test(lower)
  );
}

/** The weight against an alert: talk, work, successes, summaries. */
export function noiseWeight(
  content: MessageContent,
  written: readonly string[],
  facts: readonly Fact[],
): number {
  const lines = written.map((line) => line.toLowerCase());
  if (lines.some((line) => NOISE.test(line))) return DECISIVE;
  const topic = lines.some((line) => TOPIC.test(line)) ? 6 : 0;
  const notice = lines.some((line) => NOTICE.test(line)) || CHANGED.test(content.body) ? 3.5 : 0;
  const counts = lines.some((line) => COUNTS.test(line) && WELL.test(line)) ? 4.5 : 0;
  const info = lines.some((line) =>
    INFO_MARKERS.has((/^\W*(\w+)\W*[:|\]]/u.exec(line)?.[1] ?? '').toLowerCase()),
  )
    ? 3.5
    : 0;
  const person = written.some((line) => PERSON_DID.test(line)) ? 6 : 0;
  const question = lines.some((line) => /[^\s\d]\?$/u.test(line)) ? 3 : 0;
  const work = new Set(facts.map(({ name }) => normalizedName(name)).filter((name) => WORK_FIELDS.test(name)))
    .size;
  return Math.max(topic, notice, counts, info, question, person) + Math.min(4, work * 1.5);
}

/**
 * Whether a message is only about alerts. A follow-up is about its author or about causes, a report about days and several
 * things; an alert names one problem and its measurements.
 */
export function summaryKind(
  content: MessageContent,
  heads: readonly string[],
  facts: readonly Fact[],
): SummaryKind {
  const lines = plainText(content.body)
    .split('\n', LINES)
    .map((line) => line.slice(0, LONGEST))
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const first = [
    ...heads.slice(0, 2),
    ...lines.filter((line) => !/^[^:]{1,30}:(?:\s|$)/u.test(line)).slice(0, 1),
  ];
  if (first.some((line) => FIRST_PERSON.test(line) || ANALYSIS.test(line))) return 'follow-up';
  const findings = lines.filter((line) => FINDING.test(line)).length;
  if (findings > 1 || (findings === 1 && lines.some((line) => PART.test(line)))) return 'follow-up';
  if (SUBSCRIPTION.test(lines.slice(0, 6).join('\n'))) return 'follow-up';
  const report = reportIn(first, lines, facts);
  if (report !== null) return report;
  return lines.slice(0, 8).some((line) => GUESS.test(line.toLowerCase())) ? 'guess' : null;
}

/** A report names its period and itself; a table may also belong to an alert, which says what is wrong. */
function reportIn(
  heads: readonly string[],
  lines: readonly string[],
  facts: readonly Fact[],
): 'report' | 'table' | null {
  const title = heads.join('\n').toLowerCase();
  const period = PERIOD.test(title);
  const named = REPORT.test(title);
  if (!period && !named) return null;
  if (period && SUM.test(lines.slice(0, 6).join('\n'))) return 'report';
  const rows = rowsIn(lines, facts);
  if (period && named && rows > 1) return 'report';
  if (sentenceState(heads[0] ?? '')?.state === 'firing' && !MANY.test(title)) return null;
  if (named && LISTED.test(title)) return 'table';
  return rows > 2 && (named || MEASURED.test(title)) ? 'table' : null;
}

/** Lines and fields with a name and numbers, other than the fields of an alert. */
function rowsIn(lines: readonly string[], facts: readonly Fact[]): number {
  const rows = lines
    .slice(1)
    .filter((line) => ROW.test(withoutMarkup(line)) && !isField(line.split(/[:|]/u, 1)[0] ?? ''));
  const fields = new Set(
    facts
      .filter(({ name, value }) => /^\W{0,3}\d/u.test(value) && !isField(name))
      .map(({ name }) => normalizedName(name)),
  );
  return Math.max(rows.length, fields.size);
}

function isField(label: string): boolean {
  const name = normalizedName(withoutMarkup(label));
  return ALERT_FIELDS.test(name) || OWN.test(name);
}

import { type Fact, normalizedName } from '../../facts.ts';
import type { MessageContent } from '../../message.ts';
import { plainText, withoutMarkup } from '../../slack-text.ts';
import { ALERT_FIELDS, DONE, INFO_MARKERS, oneOf, words } from '../../vocabulary.ts';
import { sentenceState } from '../../wording.ts';

/** Reports, schedules, talk: problems they mention are not current ones, whatever else they say. */
const NOISE = new RegExp(
  [
    '(?:\\b(?:to|now)|→|->) insufficient[ _]data\\b',
    `^\\W*(?:${oneOf('talk')})\\b(?![.-]\\w)`,
    words(oneOf('noise')).source,
  ].join('|'),
  'u',
);
/** Topics of project-management and chat tools. */
const TOPIC = words(oneOf('topic'));
/** Successes and completed work. */
const NOTICE = words(DONE, oneOf('notice'));
/** Work done by people: `Dana approved …`. */
const PERSON_DID =
  /^\W*(?:\p{Lu}\w{1,20}: )?\p{Lu}\p{Ll}+(?: \p{Lu}\p{L}+)? (?:has |just |also )?(?:approved|closed|opened|pushed|scheduled|merged|commented|created|updated|shared|invited|joined|assigned|added|removed|uploaded|edited|renamed|requested|posted|replied|asked|answered|won|is deploying|deployed|published|mentioned|signed|moved|booked|changed|set|marked|reviewed|submitted|completed|is on call|is now on call|cancelled|paid|voted|liked|wrote|says|said|thinks|wants)\b|^\W*(?:We(?! (?:have |just |were |are )?(?:detected|noticed|observed|registered|received no|could not|couldn['’]t|cannot|can['’]t|unable|failed)\b)|I|Let's|You have|Please|Everyone|Team)\b(?!-)/u;
/** Several counts, one of them of successes: a summary. */
const COUNTS =
  /\b\d[\d,.]{0,12} (?:[a-z-]{2,20} ){0,2}[a-z-]{2,20}(?:,| and|;| ·| \||\n) ?(?:and )?\d[\d,.]{0,12} (?:[a-z-]{2,20} ?){1,2}/iu;
const WELL =
  /\b(?:passed|succeeded|successful|resolved|ok|completed|skipped|closed|added|healthy|ran|new|merged|done|processed|sent|delivered|mean time)\b/iu;
/** Fields of cards about work, sales and people. */
const WORK_FIELDS = new RegExp(`^(?:${oneOf('work field')})$`, 'u');
/** A bot about its own work on an alert: in the first person, or in progress. */
const FIRST_PERSON = new RegExp(`^\\W{0,6}(?:${oneOf('own work')})`, 'iu');
/** Titles of findings about an alert. */
const ANALYSIS = new RegExp(`^\\W{0,6}(?:${oneOf('analysis')})`, 'iu');
/** Guesses; monitoring tools measure and do not guess. */
const GUESS = words(oneOf('guess'));
/** A report covers days; an alert looks at minutes or hours. */
const PERIOD = words(oneOf('period'));
/** Names of reports and of what they summarize. */
const REPORT = words(oneOf('report'));
/** The same words, if a period is named too. */
const MEASURED =
  /\b(?:errors|exceptions|failures|incidents|alerts|outages|uptime|availability|slos?|slas?|error budgets?|spend|costs?|bill|usage|latency|deploys|deployments|requests|traffic|pages|on-call|backups|tests|performance|reliability|health|crash-free)\b/iu;
/** A row of a table: a name followed by numbers. */
const ROW =
  /^\W{0,6}(?:\d{1,2}[.)] )?[`*_]{0,3}[\p{L}][^\n:|—–\t]{0,60}?[`*_]{0,3}(?::| {2,}|\t| ?[|—–:] ?| - |, | (?=[$€£]?\d))\s{0,40}(?:[^\n]{0,40}?[\s|])?[-+−↑↓$€£~]{0,3}\d/u;
/** Sources of other services' status updates. */
const SUBSCRIPTION =
  /\b(?:you are (?:now )?subscribed|you(?:['’]re| are) receiving this|status ?page (?:digest|update|subscription|summary)|(?:\d+|new) updates? from (?:your|\d+)|updates? from your providers|unsubscribe|manage (?:your )?subscription)\b|^\W{0,6}(?:identified|monitoring|update|scheduled|investigating) - \p{Lu}/imu;
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
export function noiseWeight(written: readonly string[], facts: readonly Fact[]): number {
  const lines = written.map((line) => line.toLowerCase());
  if (lines.some((line) => NOISE.test(line))) return DECISIVE;
  const topic = lines.some((line) => TOPIC.test(line)) ? 6 : 0;
  const notice = lines.some((line) => NOTICE.test(line)) ? 3.5 : 0;
  const counts = lines.some((line) => COUNTS.test(line) && WELL.test(line)) ? 4.5 : 0;
  const info = lines.some((line) =>
    INFO_MARKERS.has((/^\W*(\w+)\W*[:|\]]/u.exec(line)?.[1] ?? '').toLowerCase()),
  )
    ? 3.5
    : 0;
  const person = written.some((line) => PERSON_DID.test(line)) ? 6 : 0;
  const work = new Set(facts.map(({ name }) => normalizedName(name)).filter((name) => WORK_FIELDS.test(name)))
    .size;
  return Math.max(topic, notice, counts, info, person) + Math.min(4, work * 1.5);
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

import { words } from './expression.ts';

/** A bot about its own work on an alert: in the first person, or in progress. */
export const FIRST_PERSON =
  /^\W{0,6}(?:(?:i|we)(?:['’](?:m|ve|ll|re|d))? (?!\/|(?:have |just |were |are )?(?:detected|noticed|observed|registered|received no|could not|couldn['’]t|cannot|can['’]t|unable|failed)\b)|let me\b|(?:looking|digging|diving) into\b|(?:taking|having) a (?:closer |quick )?look|(?:now |currently |still )?investigating(?:,| (?:the|this|it|a|an|now|why|possible|further|what)\b|[.…]|$)|checking (?:the|this|it|whether|if|logs|what|why)\b|on it\b|working on (?:it|this|the|a fix)\b|(?:now |currently )?(?:analy[sz]ing|triaging|correlating|gathering)\b|(?:looks|sounds|smells|seems) (?:like|related|similar|to be)\b|this (?:looks|seems|appears|is (?:likely|probably))\b|(?:acknowledged|ack|noted|understood|got it|roger|thanks)[,.!:;]? |(?:my|our) (?:\w+ )?(?:analysis|guess|agent|assistant|bot|best)|based on\b|according to\b|here(?:['’]s| is| are)\b|possible duplicate|duplicate of\b|related (?:to|alerts?|incidents?)\b|similar (?:to|alerts?|incidents?)\b|update[ds]?:? (?:we|i|the team)\b|no action (?:is )?(?:needed|required)\b)/iu;

/** Titles of findings about an alert. */
export const ANALYSIS =
  /^\W{0,6}(?:(?:ai|automated|automatic|auto|incident|alert|llm|copilot|agent|bot)[ -](?:generated )?(?:summary|analysis|triage|investigation|insights?|rca|diagnosis|digest|summari[sz]ation|assessment)\b|triage (?:of|for|result|summary|report|note|complete)|(?:root cause|rca|impact|log|trace|error|incident) (?:analysis|assessment)\b|rca\b|investigation (?:of|into|summary|update|result|report|notes?|complete|finished|started)|(?:analysis|diagnosis|findings|summary|summari[sz]ed) (?:of|for|complete)\b|what (?:happened|we know|i found)\b|preliminary (?:analysis|findings|assessment|root cause)|hypothes[ie]s\b|suggested (?:next steps|fix|actions?|remediation)\b)/iu;
/** Headings in such a text. */
export const FINDING =
  /^\W{0,6}(?:(?:probable|likely|possible|suspected|potential|presumed|contributing|most likely) (?:root )?(?:cause|factor|culprit|trigger)s?|root cause analysis|hypothes[ie]s|recommendations?|recommended (?:actions?|next steps?|fix)|next steps?|suggested (?:fix|actions?|next steps?|remediation)|confidence(?: level| score)?|findings?|evidence|analysis|timeline|investigation|what happened|what changed|suspect(?:ed)? (?:commit|deploy|change)s?|blast radius|customer impact|mitigation|similar incidents?|open questions)\b[^:\n]{0,40}(?::|$)/iu;
/** Headings that alerts have as well. */
export const PART =
  /^\W{0,6}(?:summary|impact|root cause|cause|remediation|actions?|details|tl;?dr|status)\b[^:\n]{0,20}:/iu;
/** Guesses; monitoring tools measure and do not guess. */
export const GUESS = words(
  '(?:probably|likely|presumably|apparently|possibly|most likely) (?:\\w+ ){0,2}(?:caused|due|related|because|triggered|introduced|the (?:cause|culprit|result))|(?:appears?|seems?) to (?:be|have)|might be|may be (?:caused|related|due)|(?:probable|likely|suspected) (?:root )?cause|correlat(?:es|ed) with|confidence',
);

/** A report covers days; an alert looks at minutes or hours. */
export const PERIOD = words(
  'today|yesterday|tonight|overnight|(?:this|last|past|previous|the) (?:\\d+ )?(?:day|week|month|quarter|year|weekend|sprint|night)s?|(?:last|past) (?:24|48|72) ?(?:h|hours|hrs)|24 ?h(?:ours)?|(?:7|14|28|30|31|60|90|365) ?d(?:ays)?|week (?:\\d{1,2}|of)|w\\d{2}|q[1-4]|month to date|year to date|mtd|ytd|wtd|(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annual)|(?:jan|febr)uary|march|april|june|july|august|(?:septem|octo|novem|decem)ber|(?:for|on|in|of|to|–|-) (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?!,? (?:\\d{4},? )?(?:at )?\\d{1,2}:)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec) \\d{1,2}(?!,? \\d{4},? (?:at )?\\d|,? (?:at )?\\d{1,2}:)|(?:for|of) (?:mon|tues|wednes|thurs|fri|satur|sun)day|\\d{4}-\\d{2}-\\d{2}(?!(?:,? at|,)? ?t?\\d{1,2}:)|\\d{4}-w\\d{2}',
);
/** Names of reports and of what they summarise. */
export const REPORT = words(
  'reports?|tables?|lists?|summary|overview|digest|recap|round-?up|statistics|stats|breakdown|leaderboard|ranking|scoreboard|dashboard|snapshot|inventory|census|counts?|totals?|volumes?|trends?|numbers|figures|top \\d+|top (?:errors?|issues|exceptions|offenders|alerts|talkers|services|endpoints|queries|consumers|spenders)|by (?:team|repository|repo|cluster|service|severity|environment|region|host|project|endpoint|account|day|week)|per (?:team|service|severity|environment|region|host|project|endpoint|day|repository|repo|account|customer|cluster|month)',
);
/** The same words, if a period is named too. */
export const MEASURED =
  /\b(?:errors|exceptions|failures|incidents|alerts|outages|uptime|availability|slos?|slas?|error budgets?|spend|costs?|bill|usage|latency|deploys|deployments|requests|traffic|pages|on-call|backups|tests|performance|reliability|health|crash-free)\b/iu;
/** A row of a table: a name followed by numbers. */
export const ROW =
  /^\W{0,6}(?:\d{1,2}[.)] )?[`*_]{0,3}[\p{L}][^\n:|—–\t]{0,60}?[`*_]{0,3}(?::| {2,}|\t| ?[|—–:] ?| - |, | (?=[$€£]?\d))\s{0,40}(?:[^\n]{0,40}?[\s|])?[-+−↑↓$€£~]{0,3}\d/u;
/** Sources of other services' status updates. */
export const SUBSCRIPTION =
  /\b(?:you are (?:now )?subscribed|you(?:['’]re| are) receiving this|status ?page (?:digest|update|subscription|summary)|(?:\d+|new) updates? from (?:your|\d+)|updates? from your providers|unsubscribe|manage (?:your )?subscription)\b|^\W{0,6}(?:identified|monitoring|update|scheduled|investigating) - \p{Lu}/imu;

import { words } from './expression.ts';

/** Metrics for which lower is worse. */
export const LOW_IS_BAD = words(
  '\\w+-free|free|available|availability|remaining|left|success(?:es|ful)?|hits?|hit.?(?:rate|ratio)|uptime|battery|balance|credits?|accuracy|precision|recall|f1|auc|conversions?|headroom|apdex|satisfaction|csat|yield|voltage|signal|rssi|snr|freshness|coverage|quorum|stock|efficiency|flow|oee|wind|fuel|ph',
);
/** The same, unless a metric for which higher is worse is named too. */
export const LESS_OF = words(
  'requests?|traffic|orders?|throughput|events?|replicas?|messages|sales|log-?ins|sign-?ups|speed|bandwidth|visits?|visitors|transactions?|revenue|records|rows|heartbeats|instances|workers|nodes|peers|samples|payments|pressure|level|volume|bookings|checkouts|consumers|capacity|space|inodes',
);
/** Metrics for which higher is worse. */
export const HIGH_IS_BAD = words(
  'errors?|latency|latencies|cpu|memory|mem|ram|heap|swap|load|usage|used|utili[sz]ation|lag|queue|queues|queued|backlog|temperature|temp|connections?|disk|delay|depth|cost|costs|spend|spent|drift|retries|failures?|failed|restarts|5xx|4xx|response|responses? times?|duration|time|age|loss|jitter|deadlocks?|timeouts?|exceptions?|rejections?|burn|pending|waiting|unacked|humidity|vibration|noise|threads|locks|gc|p\\d\\d|size|skew|offset|wait|bounce|churn|null|nulls|duplicates|missing|attempts|slow',
);
export const ABOVE =
  /\b(?:above|over|exceed(?:s|ed|ing)?|greater than|more than|higher than|beyond|surpass(?:es|ed)|breach(?:es|ed)|cross(?:es|ed)|past|reached|reaches|topped|outside)\b|(?<![-=<>|\w])>=?(?=\s?[$€£\d])/iu;
export const BELOW =
  /\b(?:below|under|beneath|less than|fewer than|lower than|short of)\b|(?<![-=<>|\w])<=?(?=\s?[$€£\d])/iu;
/** The limit right after `above` or `below`. */
export const LIMIT =
  /^(?: (?:its|their|the|a|an|our|of|configured|allowed|warning|critical|upper|lower|maximum|minimum|max|min|normal|expected|alert|safe|hard|soft|daily|monthly|acceptable|agreed)){0,4} ?(?:[$€£~]?\d|thresholds?|limits?|quota|slo|sla|budget|maximum|minimum|max|min|baseline|target|capacity|range|normal|average|expect\w+|bounds|band|setpoint|objective)/iu;
/** Names of a limit that say whether it is a maximum or a minimum. */
export const CEILING = /\b(?:limits?|quota|maximum|max|budget|capacity|cap|upper)\b/iu;
export const FLOOR = /\b(?:minimum|min|floor|lower|quorum)\b/iu;
/** `(limit 35 °C)`, `threshold: 5/min`, `SLA 24h`: up to the number that the value before it is compared with. */
export const HELD_AGAINST =
  /(?<![/\w-])(?<!\d )(?:limit|threshold|max|maximum|min|minimum|allowed|sla|slo|expected|baseline|objective|normal(?:ly)?|warn(?:ing)? at|alert at|critical at|target|usual(?:ly)?|typical(?:ly)?|avg|average|should be|norm|setpoint|at most|at least)\b[^\d\n]{0,14}?[$€£]?\d/iu;
/** `5 of 6 upstreams unreachable`: how many, of how many, and in what state. */
export const SHARE =
  /(?<![\w.,/-])(\d[\d,]{0,8}) ?(?:of|\/|out of|von|sur|de) ?(?:the )?(\d[\d,]{0,8})(?![\d.%]) (?:[\w-]{1,24} ){0,3}?(?:are |is |were )?(taken|used|in use|busy|occupied|allocated|consumed|full|queued|failed|down|unreachable|unavailable|unhealthy|missing|failing|offline|degraded|bad|lost|dead|stuck|late|unresponsive|critical|red|erroring|timed out|available|healthy|up|reachable|ready|online|ok|running|alive|responding|passing|in sync|live|working|connected|free)\b/iu;
export const SHARE_USED = /^(?:taken|used|in use|busy|occupied|allocated|consumed|full|queued)$/iu;
export const SHARE_WELL =
  /^(?:available|healthy|up|reachable|ready|online|ok|running|alive|responding|passing|in sync|live|working|connected|free)$/iu;
export const FULLNESS =
  /(?<![\d.])(\d{1,3}(?:\.\d+)?) ?% (?:used|full|utili[sz]ed|consumed|occupied|in use|saturated)|\b(?:usage|utili[sz]ation|saturation|occupancy|consumption|full|used)\b[^\d%\n]{0,50}?(?:[a-z][\w.]*-?\d[^\d%\n]{0,20})?(?<![\w.-])(\d{1,3}(?:\.\d+)?) ?%/iu;
export const FROM_TO =
  /\bfrom ([$€£]?\d[\d.,]* ?[a-zA-Z%°]{0,4})(?:\/\w{1,6})? to ([$€£]?\d[\d.,]* ?[a-zA-Z%°]{0,4})(?![\w.])/u;
export const FELL = /\b(?:dropped|drops|fell|falls|fallen|sank|plunged|declined|decreased|down to)\b/iu;

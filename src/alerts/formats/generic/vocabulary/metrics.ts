import { words } from './expression.ts';

/** Of these less is worse. */
export const LOW_IS_BAD = words(
  'free|available|availability|remaining|left|success(?:es|ful)?|hits?|hit.?(?:rate|ratio)|uptime|battery|balance|credits?|accuracy|precision|recall|f1|auc|conversions?|headroom|apdex|satisfaction|csat|yield|voltage|signal|rssi|snr|freshness|coverage|quorum|stock|efficiency|flow|oee|wind|fuel|ph',
);
/** Of these as well, where nothing of which more is worse is named beside it. */
export const LESS_OF = words(
  'requests?|traffic|orders?|throughput|events?|replicas?|messages|sales|log-?ins|sign-?ups|speed|bandwidth|visits?|visitors|transactions?|revenue|records|rows|heartbeats|instances|workers|nodes|peers|samples|payments|pressure|level|volume|bookings|checkouts|consumers|capacity|space|inodes',
);
/** Of these more is worse. */
export const HIGH_IS_BAD = words(
  'errors?|latency|latencies|cpu|memory|mem|ram|heap|swap|load|usage|used|utili[sz]ation|lag|queue|queues|queued|backlog|temperature|temp|connections?|disk|delay|depth|cost|costs|spend|spent|drift|retries|failures?|failed|restarts|5xx|4xx|response|responses? times?|duration|time|age|loss|jitter|deadlocks?|timeouts?|exceptions?|rejections?|burn|pending|waiting|unacked|humidity|vibration|noise|threads|locks|gc|p\\d\\d|size|skew|offset|wait|bounce|churn|null|nulls|duplicates|missing|attempts|slow',
);
export const ABOVE =
  /\b(?:above|over|exceed(?:s|ed|ing)?|greater than|more than|higher than|beyond|surpass(?:es|ed)|breach(?:es|ed)|cross(?:es|ed)|past|hit|hits|reached|reaches|topped|outside)\b|(?<![-=<>|\w])>=?(?=\s?[$€£\d])/iu;
export const BELOW =
  /\b(?:below|under|beneath|less than|fewer than|lower than|short of)\b|(?<![-=<>|\w])<=?(?=\s?[$€£\d])/iu;
/** What a reading is held against, right behind `above` or `below`. */
export const LIMIT =
  /^(?: (?:its|their|the|a|an|our|of|configured|allowed|warning|critical|upper|lower|maximum|minimum|max|min|normal|expected|alert|safe|hard|soft|daily|monthly|acceptable|agreed)){0,4} ?(?:[$€£~]?\d|thresholds?|limits?|quota|slo|sla|budget|maximum|minimum|max|min|baseline|target|capacity|range|normal|average|expect\w+|bounds|band|setpoint|objective)/iu;
/** Names for the limit that say which way it holds. */
export const CEILING = /\b(?:limits?|quota|maximum|max|budget|capacity|cap|upper)\b/iu;
export const FLOOR = /\b(?:minimum|min|floor|lower|quorum)\b/iu;
/** `(limit 35 °C)`, `threshold: 5/min`, `SLA 24h`: the number that a reading before it is held against. */
export const HELD_AGAINST =
  /\b(?:limit|threshold|max|maximum|allowed|sla|slo|expected|baseline|quota|budget|normal|warn(?:ing)? at|alert at|target|usually|typical(?:ly)?|avg|average|should be|norm)\b[^\d\n]{0,14}?([$€£]?\d[\d,]*(?:\.\d+)?)/iu;
export const FELL = /\b(?:dropped|drops|fell|falls|fallen|sank|plunged|declined|decreased)\b/iu;

/** Pieces of a regular expression as one, in any case. */
function any(...pieces: readonly string[]): RegExp {
  return new RegExp(pieces.join('|'), 'iu');
}

/** The same, where each piece is whole words. */
function words(...pieces: readonly string[]): string {
  return `\\b(?:${pieces.join('|')})\\b`;
}

/** An acknowledgement, a downtime, an update. */
export const NOTED = any(
  '^(?:acknowledged|ack(?:ed)?|merged|snoozed|silenced|updated problem|assigned|reassigned|escalated|status changed)\\b',
  words(
    '(?:ACKNOWLEDGE?MENT|DOWNTIME\\w*|FLAPPING\\w*|CUSTOM) notification',
    'STATE: (?:ACKNOWLEDGE|DOWNTIME)\\w*',
    'has been acknowledged',
    'acknowledged (?:by|the|this|problem)',
  ),
);

/** Reports, schedules, talk: what they say of problems is not said of a problem now. */
export const NOISE = any(
  '(?:\\b(?:to|now)|→|->) insufficient[ _]data\\b',
  '^\\W*(?:reminder|meeting|minutes|agenda|poll|survey|tweet|newsletter|fyi|tip|quiz)\\b',
  words(
    'recap|digest|round-?up|hand-?over|hand-off|scorecard|stand-?up|changelog|release notes|week \\d{1,2}',
    'retro|retrospective|post-?mortem|(?:incident|alert) (?:review|report|channel|process|template)',
    'alert\\(s\\) posted',
    '(?:daily|weekly|monthly|quarterly)\\b.{0,40}\\b(?:report|summary|stats|statistics|review|overview)',
    '(?:report|summary|statistics) for',
    '(?:on-?call|shift|rotation) (?:schedule|summary|starts|started|ends|ended|changed)',
  ),
);

/** What went well, or was only done. */
export const NOTICE = any(
  words(
    'deployed|deploying|released|merged|pull request|completed|successfully|succeeded|success|passed|finished',
    'created|updated|deleted|published|approved|failed over|running new version|now running|started|scaled',
    'scheduled|cancell?ed|aborted|skipped|opened issue',
  ),
);

/** A name of more than one word between quotation marks: what it says is its name. */
export const QUOTED = /"[^"\s]{1,100}\s[^"]{1,200}"|“[^”\s]{1,100}\s[^”]{1,200}”/gu;

export const NEGATED =
  /\b(?:not|n't|never|un(?=-)|isn't|wasn't|hasn't)(?: been| yet| fully| quite)?[ -]?(?=resolved|recovered|fixed|closed|cleared|ok\b|healthy)\w+/giu;
export const NOTHING =
  /\b\d{1,9} passed, \d{1,9} failed\b|\b(?:0|no|zero|without|any) (?:new |more )?(?:errors?|fail\w+|problems?|alerts?|issues?|incidents?)\b/giu;

const INCIDENT = '(?:alert|alarm|incident|problem|outage|anomaly|failure)';

/** A problem is over. */
export const OVER = any(
  words(
    'resolved|recovered|recovery|recovers|cleared|all clear|no longer',
    'back (?:to normal|online|up|in service|below|above|under|within|in range)|(?:is|are) back|(?:came|come) back',
    '(?:healthy|normal|working|up|received|responding|reporting|reachable|available|online|connected|running|passing) again',
    'is (?:now |back )?(?:up(?! (?:by )?\\d)|ok|okay|healthy)|(?:health|status|state):? (?:is )?green|returned to normal|within (?:limits?|range)',
    '(?:state|status)(?: is| is now| changed)?(?: to)?:? (?:OK|UP)',
    'changed(?: from \\w{2,20})? to (?:ok|up|healthy|normal)',
    `${INCIDENT}\\b.{0,60}\\b(?:closed|ended|is over)|issue\\b.{0,60}\\bclosed(?! by \\w)|caught up|(?:connection|service|access)\\b.{0,60} restored`,
  ),
  '^(?:ok|up|closed|fixed)\\b',
  '\\[\\W{0,3}(?:ok|up|resolved)\\]',
  '(?:→|->|=>) ?(?:ok|up|normal|healthy)\\b',
  ': (?:ok|up)$',
);

/** A problem is on. */
export const ON = any(
  words(
    'firing|fired|triggered|alerting|activated|is active|ongoing|regressed|escalating|unstable|needs attention',
    '(?:is|are|went|gone|goes) (?:\\w+ )?(?:down|failing|critical|unhealthy|unreachable|unavailable|degraded|offline|unresponsive|exhausted|stuck)',
    '(?:has|have) (?:failed|degraded)|failed(?! over)|failing|failure|missed|crashed|crashing|crash ?loop\\w*|timed out',
    '(?:state|changed|now|entered|in)(?: state)?(?: from \\w{2,20})?(?: is| to)?(?: now)?:? (?:the )?(?:ALARM|DOWN|CRITICAL|WARNING|PROBLEM|UNKNOWN|UNREACHABLE|UNHEALTHY)',
    'new (?:alert|incident|problem|issue(?! (?:opened|created|assigned))|error|exception)',
    `${INCIDENT} (?:re-?)?(?:opened|raised|declared|detected|started)`,
    'PROBLEM',
    '(?:returned|returns|returning|responded with|responds with|answered|answers|(?:http|status)(?: code| is)?:?) (?:an? )?(?:http )?(?:error )?[45]\\d\\d',
    '(?:exceed(?:s|ed)|breach(?:es|ed)|crossed) (?:(?:its|the|a) )?(?:\\w+ )?(?:threshold|limits?|quota|slo|sla|budget|[\\d.,]+(?:(?= ?%)| ?(?:m?s|[kmg]i?b|seconds|minutes)))',
    '(?:is|are|rose|went|dropped|fell|climbed|gone|stays) (?:\\w+ )?(?:above|below|over|under) (?:(?:its|the|a) )?(?:threshold|limits?|[\\d.,]+)',
    'no (?:heartbeat|check-?in|signal|response|answer|reply|ping)|not (?:responding|reachable|reporting|answering|working)',
    'OOMKilled|restarted \\d+ times|degraded performance|(?:spike|surge) in|(?:errors?|failures?|rate|latency|traffic) (?:spike|surge)',
    'connection\\b.{0,60} (?:refused|reset|lost|dropped)|fallen\\b.{0,30} behind|above (?:its|the) (?:limit|threshold)',
    '(?:health|status|state):? (?:is )?red|lost (?:contact|connection|heartbeat)|out of (?:memory|disk|space)|ran out of',
  ),
  '^(?:alarm|alert|critical|crit|error|fatal|incident|down|open|opened|problem|warn|warning|p[1-5]|sev ?[0-4])\\b ?[:!\\]|#-]',
  '^[\\w.]{0,60}(?:exception|error)(?: in \\S{1,60})? ?:',
  '^open\\b',
  '^\\[?(?:p[1-5]|critical|warning|alert|alarm|down|error|high|sev ?[0-4])\\]',
  '\\[\\W{0,3}(?:down|alerting|no data)\\]',
  '(?:→|->|=>) ?(?:alarm|critical|warning|down|problem|unhealthy)\\b',
);

/** Beginnings that name how bad it is and not whether it still is. */
export const FIRST_WORD =
  /^\[?(?:alarm|alert|critical|crit|error|fatal|incident|problem|warn|warning|high|p[1-5]|sev ?[0-4])\b/iu;

/** States that are shouted in the middle of a sentence. In small letters they are words like any other. */
export const SHOUTED = /^\w[^:]{0,60} (ALARM|CRITICAL|OK)(?: (?:in|on|at|of|for)\b|: | \w{1,30}=)/u;

/** Words of a problem that need a mark, a colour or a footer beside them to be one. */
export const ON_WEAK = any(
  words(
    'alert|alarm|critical|error|errors|exception|outage|incident|down|unavailable|degraded|unreachable|unhealthy',
    'breach(?:ed)?|exceed(?:s|ed)|above|below|threshold|anomaly|timeout|warning|spike|exhausted|saturated|stuck',
    'lag|lagging|slow|leak|refused|denied|expired|expires|full|overload(?:ed)?|unresponsive|offline|latency',
  ),
);

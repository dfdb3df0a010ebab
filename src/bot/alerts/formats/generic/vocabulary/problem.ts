import { words } from './expression.ts';

/** Things that should happen; a problem if they do not. Parts of a regular expression. */
export const GOOD =
  'respond(?:ed|ing|s)?|reachable|reach(?:ed|es)?|reporting|report(?:ed)?|running|run|started?|finish(?:ed|es)?|complet(?:ed|es|ing|e)|' +
  'connect(?:ed|ing)?|available|healthy|working|works?|ready|syncing|in sync|synced|replicating|receiv(?:ed|ing)|answer(?:ed|ing)?|' +
  'recover(?:ed|ing)?|resolved?|fixed|closed|cleared|passing|pass(?:ed)?|succeed(?:ed|ing)?|checked in|check(?:ing)? in|arriv(?:ed?|ing)|' +
  'load(?:ed|ing)?|updat(?:ed|ing)|online|accessible|operational|stable|normal|ok|up|back|seen|valid|processed|processing|' +
  'sending|sent|deliver(?:ed|ing)|ack(?:ed|nowledg(?:ed|ing))|consum(?:ed|ing)|moving|progressing|backed up|renewed|delivering|successful|talking|breathing|beating';

/** Words that always mean a problem. */
const BAD =
  'down|unreachable|unavailable|unhealthy|degraded|offline|unresponsive|exhausted|stuck|stalled|failing|crashed|crashing|flapping|' +
  'hung|hanging|frozen|broken|overdue|stale|outdated|expired|corrupt(?:ed)?|inconsistent|disconnected|unplugged|saturated|overloaded|' +
  'overheat(?:ed|ing)|throttled|throttling|evicted|unstable|inaccessible|unusable|unresolved|escalating|critical|dead|halted|erroring|' +
  'timing out|out of sync|leaking|unsynced|unsynchroni[sz]ed|misconfigured|compromised|infected|tampered|unprotected|unencrypted|' +
  'overcommitted|unassigned|unschedulable|rebooting|starved|breaching|late|delayed|lagging|spiking|missing|blocked';

/** Verbs and nouns that mean a problem on their own. */
export const FAILING = words(
  'firing|fired|re-?triggered|triggered|alerting|activated|is active|ongoing|regressed|re-?occurred|re-?opened|needs attention',
  BAD,
  'failed(?! over)|fails|failure|missed|misses|crash(?:es)?|crash ?loop\\w*|timed out|times out|outage|aborted|killed|terminated unexpectedly|exited with (?:code|status|error)? ?[1-9]\\d*',
  '(?:is|are|went|gone|goes|became|turned|now) (?:\\w+ )?(?:red|full|slow|empty|lost|not ok)',
  'new (?:alert|incident|problem|issue(?! (?:opened|created|assigned))|error|exception|finding|vulnerability)',
  '(?:alert|alarm|incident|problem|outage|anomaly|failure|degradation|breach|intrusion|leak|conflict|drift|issue)(?: [#\\w-]{1,30}){0,2} (?:re-?)?(?:opened(?! by)|raised|declared|detected|started|suspected|confirmed|reported)',
  '(?:detected|found|observed|noticed|seeing) (?:an? |new |\\d+ )?(?:\\w+ )?(?:anomal\\w+|problems?|errors?|failures?|issues?|intrusions?|malware|vulnerabilit\\w+|leaks?|threats?|spikes?|drift)',
  'problem|oom(?:killed)?|out of (?:memory|disk|space|range|bounds|stock|tolerance|date|control)|ran out|run(?:s|ning)? (?:out|low|hot|late|dry)|low on|short of|filling up|fills up|used up',
  '(?:returned|returns|returning|responded with|responds with|responding with|answered|answers|(?:http|status)(?: code| is)?:?|got|gets|getting|fails|failed) (?:with )?(?:an? )?(?:http )?(?:error |status )?(?:code )?[45]\\d\\d',
  'violat(?:ed|es|ing|ion)|breach(?:ed|es)?(?! of)|cross(?:ed|es) (?:\\w+ )?(?:threshold|limits?|[\\d.,]+)|spike|spikes|spiked|surge[ds]?|anomaly|anomalous|abnormal(?:ly)?|unusual(?:ly)?|suspicious|unexpected(?:ly)?|unauthori[sz]ed',
  'no (?:heartbeats?|check-?ins?|signal|response|answer|reply|ping|data|samples|metrics|updates?|leader|quorum|primary|master|events|messages|records|files?|progress|connection|route|backups?|replicas|logs|consumers?|subscribers?|workers?|targets?|endpoints?|listeners?|capacity|space left|free \\w+)(?! loss)',
  '(?:heartbeat|signal|contact|connection|connectivity|lease|quorum|leadership|session|link|power|communication) (?:\\w+ ){0,3}(?:lost|refused|reset|dropped|failed|interrupted|broken|expired|terminated|closed unexpectedly)|lost (?:its |the )?(?:contact|connection|heartbeat|quorum|leader|link|signal|communication|power|connectivity)|connection refused|connection reset',
  'too (?:high|low|slow|warm|hot|cold|many|few|much|long|large|big|small|full|old|fast|late|often|humid|dry|wet|far|short|little)|(?:almost|nearly|completely|critically) (?:full|exhausted|empty|out|low|depleted)|(?:dangerously|extremely|critically|abnormally|unusually|very) (?:high|low|slow|large|long)',
  '(?:is|are|keeps|kept|still|has been|rapidly|steadily|continuously) (?:growing|rising|climbing|increasing|piling up|building up|accumulating|dropping|falling|decreasing|shrinking|degrading|burning|dying|rejecting|losing|dropping|refusing|restarting|looping|backing up)|piling up|building up|backing up',
  '(?:fall(?:en|s|ing)?|fell|is|are|lags?|lagging|running|runs|far|further|trails?|trailing) (?:\\w+ ){0,2}behind|behind schedule|(?:is|are|has been) (?:stopped|disabled|suspended|interrupted|impaired|compromised|rejected|denied|lost|dropped|restarted|not \\w+)|stopped unexpectedly|restarts|restarted(?: (?:\\d+ times|unexpectedly))|(?:has|have) stopped|disappeared|vanished',
  'lost (?:its|the|all|both|every|half|most)(?! (?:and found))|broke(?! even)|won.t (?:start|boot|come up|respond|connect|mount|sync|load)|give[ns]? up|giving up|gave up|bails? out|dropping out|e(?:notfound|conn(?:refused|reset|aborted)|timedout|hostunreach|pipe|addrinuse|mfile|nospc|ai_again)|unhandledpromiserejection|(?:went|goes|gone|going) (?:dark|silent|quiet|missing)|errored|off (?:a|the) cliff|through the (?:floor|roof)|(?:blow|blows|blew|blowing) up|\\d+ ?% (?:below|under|above|over|less than|more than|lower than|higher than) (?:what|last|the (?:same|usual|normal|average)|usual|normal|average|baseline|expected|yesterday)|burning|burn ?rate|overspen[dt]|over budget|(?:could|can|did|does|do|was|were|has|have|had|is|are)(?: ?n.t| not)(?! \\w+ed issues)|cannot|can.t|unable to|refuses to|impossible to',
  '(?:elevated|high|higher|increased|excessive|heavy|low|slow|poor|reduced|insufficient) (?:\\w+ ){0,2}(?:latency|error rates?|errors|cpu|memory|load|usage|utili[sz]ation|lag|traffic|temperature|response times?|responses|disk|queue|failure rate|throughput|availability|battery|pressure|packet loss|jitter|rates?|wait|swap|connections|retries|queries|space|stock|volume|pool)|(?:warning|alarm|alert|error|fault|failure) (?:on|in|at)|out of (?:service|order|action)|open (?:for|since)|err-?disabled|sealed|publicly (?:readable|accessible|writable|exposed)|growing|rising|climbing|shrinking|jumped|leapt|shot up|health_(?:warn|err)|locked(?: out)?|quarantined|tainted|revoked|orphaned|thrashing|swapping|ajar|unbalanced|skewed|isolated|partitioned|fenced|degrading|unsafe|insecure|vulnerable|deviat(?:es|ing|ed)|dying|dies|died|drained unexpectedly|overrun|underrun|underflow|defective|faulty|fault(?:ed)?|damaged|invalid|untrusted|mismatched|incomplete|truncated|paused unexpectedly|sluggish|hijacked|defaced|spam(?:ming)?|scanning|probing|leaks|long.running|abend\\w*|\\d+(?:\\.\\d+)?[x×] (?:higher|lower|slower|more|longer|above|as \\w+)|(?:higher|lower|slower|longer|more|less|fewer|worse) than (?:usual|normal|expected|before|average|baseline|allowed|yesterday)|no (?:\\w+ ){1,3}(?:since|for (?:the (?:last|past) )?\\d+|in (?:the (?:last|past) )?\\d+|received|reported|detected for)|(?:still )?not (?:yet )?\\w+ed (?:for|since|in) \\d+|dead.letter(?:s|ed)?|empty|depleted|mismatch\\w*|at risk|in danger|does not exist|collaps(?:ed|es|ing)|plung(?:ed|es|ing)|plummet(?:ed|s|ing)|tanked|soar(?:ed|ing)|skyrocket\\w*|bouncing|gone (?:silent|quiet|dark|missing)|silent|servfail|nxdomain|on (?:battery|backup power|generator|ups|emergency power)|attack(?:s|ed)?(?: in progress| detected| ongoing)?|will (?:be |run |fill |become )?(?:full|out|up|exhausted)|only \\d+|used \\d+(?:\\.\\d+)? ?%|\\d{3,4}(?:\\.\\d+)? ?% of|exposed|leaked|stolen|rejects|refuses|bottleneck|contention|starvation|desynced|diverg(?:ed|es|ing)|misbehav\\w+|malfunction\\w*|tripped|jammed|overflow\\w*|backlogged|clogged|hijack\\w*|under attack|phishing|fraud(?:ulent)?|trouble|struggling|suffering|wrong|bad gateway|gateway timeout|internal server error|service unavailable|panicked|segfault\\w*|core dumped|kernel panic|throws|throwing|rolled back automatically|leak detected|brute.?force|malware|ransomware|intrusion|(?:will )?expires? (?:in|on|soon|today|tomorrow)|about to expire|is expiring|due to expire|split.?brain|packet loss|flapped|degradation|blackout|brownout|overcurrent|overheat|overload|smoke|flood(?:ing)?|water leak|tamper',
);

/** Words that mean a problem only together with a marker, a colour, a severity or a limit. */
export const WEAK = words(
  'alert|alarm|critical|errors?|exceptions?|incident|exceed(?:s|ed)|above|below|threshold|limit|anomal\\w+|timeouts?|warning|exhaust\\w+|deviat\\w+',
  'lag|lags|slow|leak|refused|denied|rejected|expir\\w+|full|overload\\w*|latency|failures?|restarts?|high|low|elevated|increased?|increasing|reduced|retries|errors?/\\w+|drop(?:ped|s)?|fell|lost|rate|usage|utili[sz]ation|backlog|skipped|skew|drift\\w*|behind|long.running|pending|vulnerab\\w+|attempts?|mismatch|duplicates?|deadlocks?|quota|budget|sla|slo|temperature|humidity|voltage|battery|depth|memory|cpu|disk|heap|load|loss|jitter|wait(?:ing|s)?|retry|retrying|stopped|violations?|unknown|insufficient|invalid|stopped|suspended|panic|fatal|5xx|4xx|imbalance',
);

/** Nouns for an ongoing problem; its end may follow them. */
export const INCIDENT = /^\W*(?:alert|alarm|problem|incident|issue|failure|error|outage|anomaly)\b/iu;

/** What should happen but does not: `is not responding`, `hasn't checked in`, `stopped reporting`. */
export const NOT_GOOD = words(
  `(?:not|[a-z]{2,6}n.t|never|no longer|cannot|can.t|can not|unable to|failed to|fails to|failing to|refuses to|stopped|stops|ceased|without|no (?:recent |valid )?) ?(?:been |be |yet |fully |to |properly |completely |being |longer )?(?:${GOOD})`,
);
/** What no longer goes wrong. */
export const NO_LONGER_BAD = words(
  `(?:no longer|stopped|not|[a-z]{2,6}n.t|ceased(?: to be)?|never) (?:being |been |be |any ?more )?(?:${BAD}|firing|alerting|above|below|over|exceeding|exceeds?|exceeded|breach\\w*|full|slow|high|behind|active|failing|restarting|growing|burning)`,
);
/** Phrases that mean the absence of a problem: `no errors`, `0 failures`. */
export const NOTHING =
  /\b(?:0|no|zero|without|any) (?:new |more |open |active |known |further )?(?:errors?|fail\w+|problems?|alerts?|issues?|incidents?|outages?|crashes|alarms?)\b/giu;
/** The past state before the current one. */
export const PAST = words(
  `(?:was|were|had been|has been|been|after(?: being| having been| an?| the)?(?: \\d+)?|following(?: an?| the)?|from(?: an?)?|previously|earlier|since the|during the|since) (?:\\w+ )?(?:${BAD}|failed|failure|failures|outage|crash|firing|full|slow|growing|restarted|errors?|interruption)|outage lasted`,
);

/** A case-insensitive expression of whole phrases, each a part of a regular expression. */
function phrases(...pieces: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${pieces.join('|')})(?![\\w-])`, 'iu');
}

/** What people write about a current problem. */
export const PROBLEM = phrases(
  'down(?! (?:the|to)\\b)',
  'broken|failing|unreachable|unavailable|slow|stuck|dead|degraded|offline|unresponsive|full|throttled|hanging',
  'timing out|erroring|crashing|crash ?looping|on fire|throwing|outage|crashloop\\w*',
  'out of (?:memory|disk|space)|not (?:working|responding|loading|reachable)',
  '(?:getting|returns?|returning|responding with) (?:an? )?(?:errors?|exceptions?|timeouts?|4\\d\\ds?|5\\d\\ds?|5xx)',
  '5xx|5\\d\\ds|times? out|fails|(?:deploy|deployment|build|job|payment|migration|backup)s? failed|wrong with',
  "(?:doesn't|does not|don't|won't|stopped) (?:work|working|load|start|respond)",
  '(?:having|seeing|experiencing) (?:some |lots of |a lot of |many )?(?:issues|problems|errors|timeouts|failures)',
  '(?:elevated|high|increased|rising) (?:latency|error rates?|errors|cpu|memory|load|response times?)',
  '(?:errors|exceptions|timeouts) (?:across|in|on|from|for)',
  '(?:latency|error rates?|errors|cpu|memory|load|queue|lag|response times?) (?:(?:is|are|\\w+ly|so|very|too) ){0,3}(?:high|spiking|elevated|growing|increasing)',
  "(?:can't|cannot|can not|unable to|nobody can|no one can) (?:log ?in|check ?out|pay|connect|reach|load|access|deploy|open|sign)",
);

/** How people start a report of an incident. */
export const ALARM =
  /^(?:sev ?[0-4]|p[0-4]|(?:prod(?:uction)? )?incident|outage|urgent|emergency)\b\s?[:!-]/iu;

/** What people write when something is over. */
export const OVER = phrases(
  '(?:is|are|looks?|seems?) (?:now )?back',
  'back (?:up|online|to normal|again)|(?:up|healthy|normal|working|stable|fine) again',
  'recovered|resolved|fixed|healthy|all clear|false alarm',
);

/** The same words for something that is not over yet. */
export const NOT_OVER =
  /(?:\b(?:not|never|still|until|once|when|will be|should be|hope|hopefully|if)\b|n't\b)[^.,;]{0,30}\b(?:back|recovered|resolved|fixed|healthy|clear|normal)\b|\bun(?:resolved|healthy|fixed)\b/iu;

/** Talk about the past, plans and work in progress, which uses the words of a report. */
export const CHATTER = phrases(
  'remember|yesterday|last (?:week|month|night|year|time|quarter|monday|tuesday|wednesday|thursday|friday)',
  '\\w+ ago|back when|used to|post-?mortem|retro(?:spective)?|good (?:old )?times|was down|were down|had been',
  'in the past|lessons|that time|history|haha|lol|joke|imagine|what if|whenever|every time|when \\w+ went',
  'great work|nice work|good job|well done|congrat\\w*|kudos',
  'going to|gonna|plan(?:ning|ned|s)?|tomorrow|next week|scheduled|maintenance|game ?day|drill|proposal|rfc',
  "will (?:take|bring|restart|be|shut)|let's|if (?:it|the|we|prod)|in case|looking (?:at|into)|investigating",
);

/** A question whether others see the problem too, which is also a report. */
export const ANYBODY =
  /\b(?:any(?:one|body)(?: else)?|is it just me)\b.{0,20}\b(?:seeing|getting|having|noticing|hitting|experiencing)\b/iu;

/** Words in a clause that names the error. */
export const TELLING = phrases(
  'returns?|returning|throws?|throwing|errors?|exceptions?|timeouts?|timed out|5\\d\\ds?|5xx|4\\d\\ds?|crash\\w*|refused|oom|failed',
);

export const ENVIRONMENT = /(?<![\w-])(prod|production|staging|stage|stg|pre-?prod|uat|qa|dev)(?![\w-])/iu;

/** Words between a service and what is wrong with it. */
export const BETWEEN = new Set(
  (
    "is are be been has have was seems seem looks look appears keeps keep started starts went gone goes just now still again isn't aren't not " +
    'completely totally currently all very really partially intermittently to be getting error rate latency service services app application'
  ).split(' '),
);

/** Words that appear where a service's name would. */
export const NO_SERVICE = new Set(
  (
    'it its this that these those everything something anything nothing everybody everyone nobody people we they he she you i the a an and but so ' +
    'there which who to in on at db disk connection laptop site system systems users user customers page server servers cluster team our my your seeing anyone anybody else ' +
    'prod production staging stage stg preprod pre-prod dev qa uat sev0 sev1 sev2 sev3 sev4 p0 p1 p2 p3 p4 urgent incident'
  ).split(' '),
);

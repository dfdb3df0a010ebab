import { blank } from '../../blank.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Reading } from '../../reading.ts';
import { gravest, severityOf } from '../../severity.ts';
import { bare, linksOf, plain } from '../../slack-text.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../words.ts';

const BAD =
  'down|broken|failing|unreachable|unavailable|slow|stuck|dead|degraded|offline|unresponsive|timing out|erroring|crashing|crash ?looping|hanging|on fire|out of (?:memory|disk|space)|not (?:working|responding|loading|reachable)|throwing|returning (?:errors|4\\d\\d|5\\d\\d|5xx)';
const PROBLEM = new RegExp(
  `\\s*(?:'s|\\b(?:is|are|seems?|looks?|appears?|keeps?|has been|have been|went|just went|started|isn't|aren't|not|returns?|throws?))?\\s*\\b(?:(?:completely|totally|currently|all|still|now|just|again|to be|very|really|partially|intermittently) ){0,3}(?:${BAD}|responding with (?:errors|5\\d\\d)|returns? (?:an? )?(?:errors?|5\\d\\d|5xx|timeouts?)|5xx|5\\d\\ds?\\b|errors? (?:spik|rate)|outage|crashloop\\w*)\\b`,
  'iu',
);
const ALARM = /^(?:sev ?[0-4]|p[0-4]|incident|outage|urgent|emergency|prod(?:uction)? incident)\b\s*[:!-]/iu;
const CANNOT =
  /\b(?:can't|cannot|can not|unable to|nobody can|no one can) (?:log ?in|check ?out|pay|connect|reach|load|access|deploy|open|sign)/iu;
const OVER =
  /\s*\b(?:is|are|looks?|seems?|'s|all)?\s*\b(?:back(?: up| online| to normal| again)?|recovered|resolved|fixed|healthy(?: again)?|up again|normal again|working again|stable again|fine again|all clear|clear)\b/iu;
const NOT_OVER =
  /\b(?:not|n't|never|un|still|isn't|until|once|when|will be|should be|hope|hopefully|if)\b[^.,;]{0,30}\b(?:back|recovered|resolved|fixed|healthy|clear|normal)\b/iu;
const PAST =
  /\b(?:remember|yesterday|last (?:week|month|night|year|time|quarter|friday|monday)|\w+ ago|back when|used to|post-?mortem|retro(?:spective)?|good (?:old )?times|was down|were down|had been|in the past|lessons|that time|history|haha|lol|joke|imagine|what if|whenever|every time)\b|\bwhen\b.{0,60}\bwent\b/iu;
const PLANNED =
  /\b(?:going to|gonna|plan(?:ning|ned|s)?|tomorrow|next week|scheduled|maintenance|game ?day|drill|will (?:take|bring|restart|be|shut)|let's|if (?:it|the|we|prod)|in case|looking (?:at|into)|investigating|rfc|proposal)\b/iu;
const ASKS = /\?\s*$/u;
const ANYBODY =
  /\b(?:any(?:one|body)(?: else)?|is it just me)\b.{0,20}\b(?:seeing|getting|having|noticing|hitting|experiencing)\b/iu;

const ENVIRONMENT = /(?<![\w-])(prod|production|staging|stage|stg|pre-?prod|uat|qa|dev)(?![\w-])/iu;
const NOT_SERVICES = new Set(
  'it its this that everything something anything nothing all we they he she you i site service services system systems users customers prod production staging stage stg dev qa uat the a an again still just and but so now everybody everyone people page server cluster there which who'.split(
    ' ',
  ),
);
const TELLS =
  /\b(?:returns?|returning|throws?|throwing|error|exception|timeouts?|timed out|5\d\d|5xx|4\d\d|crash\w*|refused|full|oom|failed)\b/iu;

/** A person's own top-level message, where it reads like a report or an all-clear; never a reply. */
export function extractReport(reading: Reading): Alert {
  const words = plain(reading.body).trim();
  const text = bare(words);
  const over = OVER.exec(text);
  const problem = PROBLEM.exec(text) ?? CANNOT.exec(text) ?? ALARM.exec(text);
  const chatter = PAST.test(text) || PLANNED.test(text) || (ASKS.test(text) && !ANYBODY.test(text));
  const resolved = over !== null && !NOT_OVER.test(text) && (problem === null || over.index < problem.index);
  if (reading.reply || chatter || (problem === null && !resolved) || text.length > 2_000)
    return blank('generic');

  const said = resolved ? over : problem;
  const title = titleOf(text.split('\n', 1)[0] ?? '');
  const service = serviceBefore(text, said?.index ?? 0);
  return {
    ...blank('generic'),
    kind: resolved ? 'resolved' : 'firing',
    title,
    description: descriptionOf(reading.body, title),
    severity: gravest((text.match(/\b(?:sev ?[0-4]|p[0-4]|critical)\b/giu) ?? []).map(severityOf)),
    environment: ENVIRONMENT.exec(text)?.[1]?.toLowerCase() ?? null,
    service,
    alertUrl: linksOf(reading.body)[0]?.url ?? null,
    errorMessage: resolved ? null : messageOf(tellingClause(words)),
    // All that an all-clear has in common with its report is what both are about.
    fingerprint: fingerprintOf('generic', 'person', service ?? (title ?? '').toLowerCase()),
  };
}

/** The word that the report is about: the last before what is wrong with it. */
function serviceBefore(text: string, at: number): string | null {
  const before = text.slice(0, at).replace(/\s(?:in|on|for)\s[\w-]+$/u, '');
  const word = /([A-Za-z][\w-]{1,60})$/u.exec(before.trim())?.[1] ?? '';
  return word === '' || NOT_SERVICES.has(word.toLowerCase()) || /^(?:sev|p)\d$/iu.test(word) ? null : word;
}

/** Of several clauses the one that names the error; a single clause whole, as it was written. */
function tellingClause(words: string): string {
  const clauses = words.split(/[,;\n]\s*| [–—-] /u).map((clause) => clause.trim());
  return clauses.length < 2 ? words : (clauses.slice(1).find((clause) => TELLS.test(clause)) ?? words);
}

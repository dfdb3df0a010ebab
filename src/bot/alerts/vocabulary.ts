import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** By meaning, each word and a fixture that it wins: on one of its lines no other word of that meaning says as much. */
const Language = z.record(z.string(), z.record(z.string(), z.string()));

const FOLDER = join(import.meta.dirname, 'vocabulary');
const ENGLISH = 'en.json';

/** The words of each language: what is told from words alone, where neither color nor arithmetic says it. */
const languages = new Map(
  readdirSync(FOLDER).map((file) => [
    file,
    Language.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))),
  ]),
);

function rows(meaning: string, counts: (file: string) => boolean): string[] {
  const found = [...languages].flatMap(([file, words]) =>
    counts(file) ? Object.keys(words[meaning] ?? {}) : [],
  );
  if (found.length === 0) throw new Error(`no word means “${meaning}”`);
  return found;
}

/** The English words of a meaning, each a part of a regular expression. */
export function oneOf(meaning: string): string {
  return rows(meaning, (file) => file === ENGLISH).join('|');
}

/** A regular expression of whole words for lower-case text. Part of a path or of a name is not a word. */
export function words(...pieces: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w/.-])(?:${pieces.join('|')})(?!\\w|[-/.]\\w)`, 'u');
}

/** The same for the start of a value. */
function starting(meaning: string): RegExp {
  return new RegExp(`^(?:${rows(meaning, () => true).join('|')})(?![\\w-])`, 'u');
}

/** The same for all matches. */
export function all(expression: RegExp): RegExp {
  return new RegExp(expression.source, `${expression.flags}g`);
}

/** The words of a meaning in other languages, as stems, which may be anywhere in a word. */
function stems(meaning: string): string {
  return rows(meaning, (file) => file !== ENGLISH).join('|');
}

/** The words of meanings in every language. */
export function setOf(...meanings: readonly string[]): ReadonlySet<string> {
  return new Set(meanings.flatMap((meaning) => rows(meaning, () => true)));
}

/** Words for states, and function words: none of them identifies a thing. */
export const NOT_NAMES = setOf('not a name');
/** The same in other languages. */
export const NOT_NAMES_FOREIGN = setOf('state');
/** States that end a word where words are not set apart: `内存使用率过高`, `サーバーが復旧しました`. */
export const STATE_ENDING = new RegExp(
  `(?:が|は|を|に)?(?:${stems('state ending')})+\\p{Script=Hiragana}*$`,
  'u',
);
/** Nouns that need the number after them to be a name. */
export const NUMBERED = setOf('numbered');

/** An acknowledgement, a downtime, an update. */
export const NOTED = new RegExp(
  [
    '^(?:acknowledged|ack(?:ed)?|merged|snoozed|silenced|muted|suppressed|updated problem|re-?assigned|escalated|status changed)\\b',
    '^\\[?(?:acknowledged|acked|ack|snoozed|silenced|muted)\\]',
    '\\b(?:CUSTOM notification\\b|STATE: ACKNOWLEDGE\\w*)',
    '\\b(?:has been|was|is now) (?:acknowledged|snoozed|silenced|muted)\\b',
    '\\backnowledged (?:by|the|this|problem)\\b',
    '\\b(?:alert|alarm|incident|monitor|problem)\\b.{0,60}\\b(?:acknowledged|snoozed|silenced|muted|escalated to|assigned to|reassigned)\\b',
  ].join('|'),
  'iu',
);
/** The same, as Nagios and its relatives name their notifications. */
export const NOTED_LOUD =
  /\b(ACKNOWLEDGE?MENT|DOWNTIME|FLAPPING|CUSTOM)(START|END|STOP|CANCELLED|DISABLED)?\b/u;

/** A quoted name of several words, whose words have no other meaning. */
export const QUOTED =
  /"[^"\s]{1,100}\s[^"]{1,200}"|“[^”\s]{1,100}\s[^”]{1,200}”|„[^“\s]{1,100}\s[^“]{1,200}“|«[^»\s]{1,100}\s[^»]{1,200}»/gu;

export const FAILING_FOREIGN = new RegExp(stems('failing'), 'iu');
export const RECOVERED_FOREIGN = new RegExp(stems('recovered'), 'iu');
/** Of what works: that it does so again. What fails may do so again, too. */
export const AGAIN_FOREIGN = new RegExp(stems('again'), 'iu');

/** Things that should happen; a problem if they do not. */
export const GOOD = oneOf('good');
/** Words that always mean a problem. */
const BAD = oneOf('bad');
/** Verbs and nouns that mean a problem on their own. */
export const FAILING = words(BAD, oneOf('failing'));
/** Work that went as it should. */
export const DONE = oneOf('done');
/** Words that mean a problem only together with a marker, a color, a severity or a limit. */
export const WEAK = words(oneOf('weak'));
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

/** Phrases that mean a problem is over. */
export const RECOVERED = words(oneOf('recovered'));
/** Words for a healthy state, whether or not it was unhealthy before. */
export const HEALTHY = words(oneOf('healthy'));
/** Phrases that only sound like a recovery: it is expected, or no longer true. */
export const NOT_RECOVERED_YET = words(
  '(?:will be|to be|should be|should|until|once|when|if|unless|expected to be|before|being|could be|can be|may be|must be|please|auto-?|previously|last|working on|waiting to be|was last) (?:\\w+ ){0,2}(?:resolved|recovered|recovers?|restored|fixed|cleared|closed|back|solved|mitigated|normal|healthy|reconnected|resumed|replaced|cleaned|repaired|renewed|cleared)',
);
/** A recovery before the problem came back: `firing, was resolved 5 min ago`. */
export const PREVIOUSLY_RECOVERED = words(
  '(?:was|were|after being|had been) (?:last )?(?:resolved|recovered|fixed|closed|cleared|ok|up|healthy|green)',
);
export const FIRING_AGAIN = words(
  '(?:down|failing|firing|broken|crashed|crashing|degraded|offline|unhealthy|unreachable|unavailable|triggered|failed) (?:once )?again|re-?opened|re-?occurred|re-?triggered|regressed|re-?fired|relapsed',
);

/** Words that mean firing, alone between brackets or bars or before a colon. */
export const FIRING_MARKERS = setOf('firing mark');
/** Words that announce an alert without its state. */
export const ANNOUNCEMENT_MARKERS = setOf('announcement mark');
/** The same for words with other meanings as well. */
export const WEAK_FIRING_MARKERS = setOf('soft firing mark');
/** Severities; they mean firing if nothing says otherwise. */
export const SEVERITY_MARKERS = setOf('severity mark');
export const RESOLVED_MARKERS = setOf('resolved mark');
export const WEAK_RESOLVED_MARKERS = setOf('soft resolved mark');
/** Words that mark mere information. */
export const INFO_MARKERS = setOf('info mark');

const FIELDS = ['environment', 'service', 'host', 'region', 'version', 'severity', 'trace id', 'time'];
/** Other label names for an alert's fields, as `normalizedName` writes them. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  [...FIELDS, 'error message', 'alert name'].flatMap((name) =>
    [...setOf(`label: ${name}`)].map((other): [string, string] => [other, name]),
  ),
);

/** The fields in which tools state a state, as `normalizedName` writes them. */
export const STATE_NAMES =
  /^(?:(?!(?:old|previous|prior|former|last|from|initial|desired|expected)\b)(?:[a-z]+ ){0,2}(?:state|status|health|result|outcome|condition|verdict|phase|transition)|state change|(?:event|alert|alarm|notification|action|message|incident) (?:type|action)|event|action|type|zustand|статус|состояние|стан|סטטוס|מצב|级别状态|告警状态|当前狀態|当前状态|상태|situação|statut|état|etat|estado|stato|状態|状态|ステータス)$/u;
/** Fields that may hold other things than a state. */
export const LOOSE_NAMES = /\btype$|^(?:event|action|phase)\b/u;

export const OVER_VALUE = starting('value: resolved');
export const ON_VALUE = starting('value: firing');
/** Firing, if nothing else in the message says otherwise. */
export const SOFT_ON_VALUE = starting('value: perhaps firing');
export const NOTED_VALUE = starting('value: noted');
export const NONE_VALUE = starting('value: none');

/** Fields that hardly anything but an alert has. */
export const ALERT_FIELDS = new RegExp(`^(?:${oneOf('alert field')})$`, 'u');
export const ALERT_BUTTONS = new RegExp(`\\b(?:${oneOf('alert button')})\\b`, 'iu');

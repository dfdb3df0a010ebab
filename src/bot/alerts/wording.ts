import { type Fact, normalizedName, wordsOfKey } from './facts.ts';
import { isFull, limitState, shareState, thresholdState } from './measurement.ts';
import { withoutMarkup } from './slack-text.ts';
import { emojiState, type State } from './state.ts';
import {
  AGAIN_FOREIGN,
  ANNOUNCEMENT_MARKERS,
  all,
  DONE,
  FAILING,
  FAILING_FOREIGN,
  FIRING_AGAIN,
  FIRING_MARKERS,
  HEALTHY,
  INCIDENT,
  INFO_MARKERS,
  LOOSE_NAMES,
  NO_LONGER_BAD,
  NONE_VALUE,
  NOT_GOOD,
  NOT_RECOVERED_YET,
  NOTED_VALUE,
  NOTHING,
  ON_VALUE,
  OVER_VALUE,
  oneOf,
  PAST,
  PREVIOUSLY_RECOVERED,
  RECOVERED,
  RECOVERED_FOREIGN,
  RESOLVED_MARKERS,
  SEVERITY_MARKERS,
  SOFT_ON_VALUE,
  STATE_NAMES,
  WEAK_FIRING_MARKERS,
  WEAK_RESOLVED_MARKERS,
  words,
} from './vocabulary.ts';

/** `noted` is an acknowledgement, a downtime, an update: about an alert, but neither its start nor its end. */
export type Verdict = 'firing' | 'resolved' | 'noted' | 'none';

/** The state in a field or a transition, and its weight. */
interface FieldState {
  verdict: Verdict;
  weight: number;
  /** Whether another field of a state says the opposite. */
  contradicted?: true;
}

const ARROW = /→|->|=>|➜|⇒|➡/u;
/** `status: resolved` in a sentence, or in brackets. */
const INLINE = /(?:^|[\s(,;[])(?:state|status|result|health)(?:: |=)"?([^",;)\]|]{1,40})/iu;
const CHECKED = /\b(?:probe|synthetic|journey|health ?check|monitor|check|heartbeat)\b/iu;

/** The state in a message's fields, otherwise in a line that reads like a field. */
export function stateFromFields(facts: readonly Fact[], lines: readonly string[]): FieldState | null {
  const fields = facts.filter(({ name }) => STATE_NAMES.test(normalizedName(name)));
  const values = fields.map(({ name, value }) =>
    isNormalEvent(name, value)
      ? { verdict: 'none' as const, weight: 10 }
      : stateIn(value, LOOSE_NAMES.test(normalizedName(name)), lines),
  );
  // Other names, such as a type or a condition, go on saying what was wrong.
  const states = values.filter((_, at) =>
    /\b(?:state|status)$/u.test(normalizedName(fields[at]?.name ?? '')),
  );
  const on = states.find((found) => found?.verdict === 'firing');
  if (on && states.some((found) => found?.verdict === 'resolved')) return { ...on, contradicted: true };
  const clear = values.find((found) => found !== null && found.verdict !== 'none');
  if (clear) return clear;
  for (const line of lines) {
    const words = INLINE.exec(line)?.[1] ?? (ARROW.test(line) ? line : '');
    const found = words === '' ? null : stateIn(words, false, lines);
    if (found?.verdict === 'firing' || found?.verdict === 'resolved') return found;
  }
  return values.find((found) => found !== null) ?? null;
}

/** Whether a field says that an event is none to look at: `Type: Normal`. */
export function isNormalEvent(name: string, value: string): boolean {
  return /(?:^| )type$/u.test(normalizedName(name)) && /^(?:normal|info(?:rmational)?)$/iu.test(value.trim());
}

function stateIn(value: string, loose: boolean, lines: readonly string[]): FieldState | null {
  const word = withoutMarkup(value.split(ARROW).at(-1) ?? '')
    .toLowerCase()
    .replace(/^[^\p{L}]+/u, '')
    .replace(/^(?:is |now |alert |alarm |problem |incident )+(?=\w)/u, '');
  if (OVER_VALUE.test(word)) return { verdict: 'resolved', weight: 10 };
  if (ON_VALUE.test(word)) return { verdict: 'firing', weight: 8 };
  if (loose) return null;
  if (SOFT_ON_VALUE.test(word)) return { verdict: 'firing', weight: 4 };
  if (NOTED_VALUE.test(word)) return { verdict: 'noted', weight: 10 };
  const sign = word === '' ? emojiState(value) : null;
  if (sign !== null) return { verdict: sign, weight: 8 };
  if (!NONE_VALUE.test(word)) {
    // `PartiallyFailed`
    const inside = /\p{Ll}\p{Lu}|\p{Lu}_\p{Lu}/u.test(value) ? stateNamed(value) : null;
    return inside === 'firing' || inside === 'resolved' ? { verdict: inside, weight: 8 } : null;
  }
  // A check that passes tells of its end; a build that does, of itself.
  return /^(?:pass|succe)/u.test(word) && lines.some((line) => CHECKED.test(line))
    ? { verdict: 'resolved', weight: 4 }
    : { verdict: 'none', weight: 10 };
}

/** A word set apart, as tools mark states: `[DOWN]`, `P1 |`, `Resolved:`, `… - OK`. */
interface Marker {
  state: State | 'announced' | 'severity' | 'info';
  /** In lower case. */
  word: string;
  /** Also has other meanings: `Open`, `New`, `Up`. */
  soft: boolean;
}

const MOST = 12;
/** Separators between markers and names. */
const APART = /[[\]()|{}<>【】「」·•»«]|:(?=\s|$)| [-–—:/→]+ |[-–—:!](?= )|：|->|=>|,(?= )/u;

/** The markers of a line, in order. A line of prose has none. */
export function markersOf(line: string): Marker[] {
  const parts = line.slice(0, 300).split(APART, MOST);
  const marks = parts.flatMap((part) => markOf(part) ?? []);
  if (marks.length > 0) return marks;
  // Shouted at the beginning or at the end, with nothing between it and the name.
  const shouted = [
    /^(?:\W{0,3})([A-Z]{1,12}\d?(?:-[A-Z]+)?)(?= \S)/u,
    /\s([A-Z]{2,12})\W?$/u,
    /^(?:\S+ ){1,3}?([A-Z]{2,12})(?= )/u,
  ].flatMap((place) => markOf(place.exec(line)?.[1] ?? '') ?? []);
  return shouted;
}

/** A line without its leading markers: `[DOWN][P1] shop: slow` becomes `shop: slow`. */
export function withoutMarkers(line: string): string {
  let rest = line.trim();
  for (let times = 0; times < 4; times += 1) {
    const [whole, inside, before] =
      /^(?:[[(【]([^\])】\n]{1,40})[\])】]\s*(?:[:|–—-]\s+)?|([^:|!–—：\n-]{1,40}?)\s?(?:[:|!–—：]| -)(?:\s+|$))/u.exec(
        rest,
      ) ?? [];
    if (whole === undefined || whole.length === rest.length || markOf(inside ?? before ?? '') === null) break;
    rest = rest.slice(whole.length);
  }
  return rest;
}

/** A marker alone, or with a number or a duration: `FIRING:2`, `Resolved after 5 min`. */
function markOf(part: string): Marker | null {
  const word = withoutMarkup(part)
    .toLowerCase()
    .replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, '')
    .replace(/[\s:#]+\d{1,6}$|\s(?:after|in|for) [\d.].{0,20}$/u, '')
    .replace(
      /^(?:state|status|alert|alarm|severity|priority|sev|level|is|now|event|monitor|incident)[\s:]+(?=\S)/u,
      '',
    )
    .replace(/[\s:]+(?:alert|alarm|incident|priority|severity|event|notification|issue|problem|state)$/u, '')
    .replaceAll(' ', '_');
  if (word === '') return null;
  if (FIRING_MARKERS.has(word)) return { state: 'firing', word, soft: false };
  if (ANNOUNCEMENT_MARKERS.has(word)) return { state: 'announced', word, soft: false };
  if (RESOLVED_MARKERS.has(word)) return { state: 'resolved', word, soft: false };
  if (SEVERITY_MARKERS.has(word.replace(/_(?=\d)/u, ''))) return { state: 'severity', word, soft: false };
  if (WEAK_FIRING_MARKERS.has(word)) return { state: 'firing', word, soft: true };
  if (WEAK_RESOLVED_MARKERS.has(word)) return { state: 'resolved', word, soft: true };
  return INFO_MARKERS.has(word) ? { state: 'info', word, soft: true } : null;
}

/** `all firing and resolved alerts` is no state. */
const ALL_STATES = /\b(?:firing|resolved|open|closed),? (?:and|or|\/|&) (?:firing|resolved|open|closed)\b/gu;
const EACH_NOT_GOOD = all(NOT_GOOD);
const EACH_NO_LONGER_BAD = all(NO_LONGER_BAD);
const EACH_NOT_YET = all(NOT_RECOVERED_YET);
const EACH_PAST = all(PAST);

/** `NullPointerException in cart: …`, and similar output of programs. */
const THROWN =
  /^\W*(?:(?:[Uu]ncaught|[Uu]nhandled|[Ff]atal|[Nn]ew) )?[\w.$]{0,80}(?:[Ee]xception|EXCEPTION|[Ee]rror|ERROR|[Pp]anic)(?: (?:in|at|on) \S{1,60})? ?:|^\W*[A-Z][\w.$]{1,80}(?:Exception|Error|Fault|Rejection)\b/u;

/** A sentence that says how something is does it before this many characters; what follows is never matched. */
const LONGEST = 400;

/** The state in the wording of a line, and its weight. */
export interface SentenceState {
  state: State;
  weight: number;
  /** By a comparison of numbers, and no word says it. */
  isMeasured?: true;
}

/** The state in the wording of a line: its words count before its numbers. `null` if there is none. */
export function sentenceState(text: string): SentenceState | null {
  const line = text.slice(0, LONGEST);
  const words = line
    .toLowerCase()
    .replace(ALL_STATES, ' ')
    .replace(NOTHING, ' ')
    .replace(EACH_NOT_GOOD, ' is failing ')
    .replace(EACH_NO_LONGER_BAD, ' has recovered ')
    .replace(EACH_NOT_YET, ' ');
  if (THROWN.test(line)) return { state: 'firing', weight: 4 };
  // How many of how many, and in what state, is said in words.
  const shared = shareState(words);
  if (shared) return { state: shared, weight: 4 };
  if (FIRING_AGAIN.test(words)) return { state: 'firing', weight: 4 };
  const over = RECOVERED.exec(words);
  if (over) return endOr(words, over.index);
  if (RECOVERED_FOREIGN.test(words)) return { state: 'resolved', weight: 4 };
  if (FAILING.test(words.replace(EACH_PAST, ' ')) || FAILING_FOREIGN.test(words))
    return { state: 'firing', weight: 4 };
  if (AGAIN_FOREIGN.test(words)) return { state: 'resolved', weight: 4 };
  const compared = thresholdState(words) ?? limitState(words);
  if (compared) return { state: compared, weight: 3, isMeasured: true };
  if (isFull(words)) return { state: 'firing', weight: 2, isMeasured: true };
  if (!HEALTHY.test(words)) return null;
  // A check that passes tells of its end.
  return { state: 'resolved', weight: CHECKED.test(words) ? 4 : 2 };
}

/** Behind a verb that is said of what it follows no noun follows: `started sessions` are a quantity. */
const WORK_DONE = new RegExp(
  `^(?:deployed|released|promoted|published) \\S|(?:${words(DONE).source})(?=\\s*(?:$|[.,:;!)(]| (?:in|on|to|by|at|for|with|after|successfully)\\b))`,
  'u',
);

/** Whether lines report work that went as it should, and nothing that did not. */
export function reportsWork(lines: readonly string[]): boolean {
  return (
    lines.some((line) => WORK_DONE.test(line.toLowerCase())) &&
    lines.every((line) => sentenceState(line)?.state !== 'firing' && !/\bfail/iu.test(line))
  );
}

// "Problem resolved" and "was down, is up" are over; "firing, was resolved" is on.
function endOr(words: string, over: number): { state: State; weight: number } {
  const was = PREVIOUSLY_RECOVERED.exec(words);
  const on = words.replace(EACH_PAST, ' ').search(FAILING);
  const still = was !== null && on >= 0 && on < over && !INCIDENT.test(words);
  return { state: still ? 'firing' : 'resolved', weight: 4 };
}

export type WordState = 'firing' | 'resolved' | 'noted' | 'updated' | null;

const NOTED_WORDS = new RegExp(`\\b(?:${oneOf('noted word')})\\b`, 'u');
const NOT_OVER = /\b(?:not|un ?resolved|un ?healthy|in ?complete|abnormal)\b/u;
/** What machines say where people say that it is resolved. */
const OVER_WORDS =
  /\b(?:resolve|close|success(?:ful)?|succeeded|completed?|finished|passing|false|untriggered)\b/u;
/** Work that goes on as it should: `deployment.started`, `running`. */
const UNDER_WAY = new RegExp(`\\b(?:${oneOf('under way')})\\b`, 'u');
const RAN = /\b(?:end|ended|finished|completed?|done)$/u;
const HARD_ON =
  /\b(?:problem|alert|alarm|incident|issue|outage|anomaly|fail\w*|error|down|critical|missed|overdue|breach\w*|firing)\b/u;
/** Whatever starts besides a problem is work. */
const BEGINS = /\w (?:started|starts?)$/u;
const ON_WORDS =
  /\b(?:trigger|alerted|alarm|create|re ?opened|re ?triggered|problem|fault|no ?data|raise|true|unresolved)\b/u;
/** A longer value is a sentence. */
const MAX_WORDS = 6;

/** What a word in a field of a state says: `ALERT_RECOVERY`, `incident.triggered`, `UP -> DOWN`. A number says nothing. */
export function stateNamed(value: string): WordState {
  const word = wordsOfKey(
    value
      .split(/->|=>|→|_to_/iu)
      .at(-1)
      ?.trim() ?? '',
  );
  if (word === '' || /^\d/u.test(word) || word.split(' ').length > MAX_WORDS) return null;
  if (NOTED_WORDS.test(word)) return 'noted';
  const words = word.split(' ');
  // The end of a run is neither: how it ended is said elsewhere.
  const isRun = UNDER_WAY.test(word) && !words.some((one) => FIRING_MARKERS.has(one));
  if (isRun && RAN.test(word)) return null;
  const isOver = words.some((one) => RESOLVED_MARKERS.has(one) || WEAK_RESOLVED_MARKERS.has(one));
  if (NOT_OVER.test(word)) return 'firing';
  if (isOver || OVER_WORDS.test(word)) return 'resolved';
  if (/\bupdated?\b/u.test(word) || ((isRun || BEGINS.test(word)) && !HARD_ON.test(word))) return 'updated';
  const isOn = words.some((one) => ON_SETS.some((set) => set.has(one)));
  return isOn || ON_WORDS.test(word) ? 'firing' : null;
}

const ON_SETS = [FIRING_MARKERS, WEAK_FIRING_MARKERS, SEVERITY_MARKERS];

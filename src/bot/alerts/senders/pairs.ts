import { isWork } from '../formats/generic/noise.ts';
import type { State } from '../state.ts';
import { byState, type Kind, type Seen, type Slot, wordingOf } from './kinds.ts';
import { type Lexicon, statesIn } from './words.ts';

/** Two kinds of a sender's messages of which one ends the other. */
export interface Pair {
  trouble: Kind;
  recovery: Kind;
  /** Which places hold the same object: that of the recovery, and that of its trouble. */
  objects: readonly (readonly [recovery: string, trouble: string])[];
  /** The places of the trouble in which its recovery may have another name. */
  varying: readonly string[];
  /** How many troubles it ended. */
  ended: number;
  /** First sight already takes its recoveries for the problems of its troubles. */
  isTold: boolean;
  /** The share of words that both have. */
  likeness: number;
}

/** The share of recoveries whose object a trouble has to have had before. */
const AGREED = 0.9;
/** The same of a number behind a noun. */
const NUMBERED = 0.75;

/**
 * Which kinds are trouble and recovery: they share their names and alternate in time, and of several those that are worded
 * most alike. How often they have to have done so depends on what first sight knows of them; what says that it fails never
 * ends anything.
 */
export function pairsOf(kinds: readonly Kind[], lexicon: Lexicon): Pair[] {
  const common = commonIn(kinds.flatMap(({ messages }) => messages));
  const found = nearest(allPairs(kinds, lexicon, common));
  const known = new Set(found.flatMap(({ trouble, recovery }) => [trouble, recovery]));
  const hidden = kinds
    .filter((kind) => stateOf(kind, lexicon) === null && !known.has(kind))
    .flatMap((kind) => byState(kind))
    .flatMap((states) => nearest(allPairs(states, lexicon, common)));
  return [...found, ...hidden];
}

function allPairs(kinds: readonly Kind[], lexicon: Lexicon, common: ReadonlySet<string>): Pair[] {
  return kinds.flatMap((trouble) =>
    kinds.flatMap((recovery) =>
      trouble === recovery ? [] : (pairOf(trouble, recovery, lexicon, common) ?? []),
    ),
  );
}

/** A recovery that fits this trouble much less than another is the other's. */
const NEAR = 0.8;

function nearest(pairs: readonly Pair[]): Pair[] {
  return pairs.filter((pair) =>
    pairs.every((other) => {
      const isRival = other.trouble === pair.trouble || other.recovery === pair.recovery;
      return !isRival || fitOf(pair) >= NEAR * fitOf(other);
    }),
  );
}

/** Whether two kinds are a pair: they are worded alike, and it happened often. */
function fitOf({ likeness, ended, trouble, recovery }: Pair): number {
  const most = Math.max(ended, recovery.messages.length, Math.min(trouble.messages.length, 2 * ended));
  return ((likeness + UNLIKE) * Math.sqrt(ended) * ended) / most;
}

/** What kinds without a word in common count. */
const UNLIKE = 0.25;

function likenessOf(one: Kind, other: Kind): number {
  const [first, second] = [wordingOf(one), wordingOf(other)];
  const shared = [...first].filter((word) => second.has(word)).length;
  return shared / Math.max(1, Math.min(first.size, second.size));
}

/** What first sight makes of a kind: `null` if it neither fires nor ends, and is no work or talk either. */
function stateOf({ messages }: Kind, lexicon: Lexicon): 'firing' | 'resolved' | 'noise' | null {
  const [first] = messages;
  if (first === undefined) return 'noise';
  const { kind } = first.observation;
  if (kind !== 'not_an_alert') return kind;
  if (messages.every((one) => one.words.some((word) => lexicon.get(word) === 'firing'))) return 'firing';
  return isNoise({ messages }) ? 'noise' : null;
}

/** Whether its messages are about planned work or other talk. */
export function isNoise({ messages }: Pick<Kind, 'messages'>): boolean {
  return messages.some(({ headline }) => isWork(headline ?? ''));
}

function pairOf(trouble: Kind, recovery: Kind, lexicon: Lexicon, common: ReadonlySet<string>): Pair | null {
  const [before, after] = [stateOf(trouble, lexicon), stateOf(recovery, lexicon)];
  if (before === 'resolved' || before === 'noise') return null;
  const likeness = likenessOf(trouble, recovery);
  const isGood = after === 'resolved' || recovery.messages.every((one) => isWell(one, lexicon));
  const isFailing = recovery.messages.some((one) => one.isFailing);
  const isLearned = recovery.messages.every(({ words }) =>
    words.some((word) => lexicon.get(word) === 'resolved'),
  );
  if (after !== 'resolved' && isFailing && !isLearned && !(isGood && likeness > ALIKE)) return null;
  // What still says a trouble or a grade of its own ends nothing, however often it follows.
  if (!isGood && !isLearned && recovery.messages.some(({ words }) => isGraded(words))) return null;
  const agreed = objectsOf(trouble.messages, recovery.messages);
  const ofEach = agreed.length === 0 && isGood ? objectsOf(trouble.messages, recovery.messages, true) : [];
  // What says of much that all is well has to name all that failed.
  const objects = hasNames(trouble, ofEach) ? agreed : [...agreed, ...ofEach];
  // Messages about several things end no problem of which they name nothing.
  if (objects.length === 0 && after !== 'resolved' && namesSeveral(recovery)) return null;
  if (objects.every(([, key]) => isCommon(trouble, key, common)) && hasNames(trouble, objects)) return null;
  // Without a word in common they are of one thing only if all that both name is the same.
  if (likeness === 0 && differIn(trouble, recovery, objects)) return null;
  const { ended, endedNothing, names } = played(trouble.messages, recovery.messages, objects);
  if (!isGood && endedNothing > MISSED * ended) return null;
  const isKnown = before === 'firing' && isGood;
  const least = isKnown ? 1 : before === 'firing' || isGood || (likeness > ALIKE && names > 1) ? 2 : 3;
  const isEnough = ended >= least && (before === 'firing' || isGood || names > 1);
  if (!isEnough) return null;
  return {
    trouble,
    recovery,
    objects,
    ended,
    isTold: toldOf(trouble.messages, recovery.messages) >= Math.max(1, TOLD * ended),
    likeness,
    varying: endedNothing > MISSED * ended ? [] : varyingOf(trouble.messages, recovery.messages, objects),
  };
}

/** The share of its recoveries that may end other troubles. */
export const MISSED = 0.25;

function isGraded(words: readonly string[]): boolean {
  return words.some((word) => GRADES.test(word));
}

/** Words of something that is only partly well. */
const GRADES = /^(?:partial(?:ly)?|degraded|warnings?|errors?|incomplete)$/u;

/** From this share of common words two kinds are worded alike. */
const ALIKE = 0.6;

/** The share of a sender's messages that have a value from which it tells none of its problems from the others. */
const COMMON = 0.7;

function commonIn(messages: readonly Seen[]): Set<string> {
  const uses = new Map<string, number>();
  for (const { slots } of messages)
    for (const value of new Set([...slots.values()].map((slot) => slot.value)))
      uses.set(value, (uses.get(value) ?? 0) + 1);
  return new Set([...uses].filter(([, count]) => count >= COMMON * messages.length).map(([value]) => value));
}

function isCommon({ messages }: Kind, key: string, common: ReadonlySet<string>): boolean {
  return messages.every(({ slots }) => common.has(slots.get(key)?.value ?? ''));
}

/** Whether both kinds hold names in the same place, and mostly others. */
function differIn(trouble: Kind, recovery: Kind, objects: Pair['objects']): boolean {
  const known = new Set(objects.flat());
  const namesIn = ({ messages }: Kind) =>
    Map.groupBy(
      messages.flatMap(({ slots }) => [...slots.values()].filter(({ holds }) => holds === 'name')),
      ({ key }) => key,
    );
  const theirs = namesIn(recovery);
  return [...namesIn(trouble)].some(([key, slots]) => {
    const names = new Set(slots.map(({ value }) => value));
    const others = new Set((theirs.get(key) ?? []).map(({ value }) => value));
    const shared = [...names].filter((name) => others.has(name)).length;
    return !known.has(key) && others.size > 0 && shared <= Math.min(names.size, others.size) / 2;
  });
}

function namesSeveral({ messages }: Kind): boolean {
  const values = new Map<string, string>();
  return messages.some(({ slots }) =>
    [...slots.values()].some(({ key, value, holds, isNaming }) => {
      if (!isNaming || (holds !== 'name' && holds !== 'word')) return false;
      const other = values.get(key) ?? value;
      values.set(key, value);
      return other !== value;
    }),
  );
}

/** Whether a kind names something besides these places. */
function hasNames({ messages }: Kind, objects: Pair['objects']): boolean {
  const known = new Set(objects.map(([, key]) => key));
  return messages.some(({ slots }) =>
    [...slots.values()].some(
      ({ key, holds, isNaming }) => isNaming && !known.has(key) && (holds === 'name' || holds === 'word'),
    ),
  );
}

function isWell({ observation: { color }, words }: Seen, lexicon: Lexicon): boolean {
  return color === 'good' || isMarked(words, 'resolved', lexicon);
}

/** Whether words stand for this state, and for no other. */
export function isMarked(words: readonly string[], state: State, lexicon: Lexicon): boolean {
  const states = statesIn(words, lexicon);
  return states.has(state) && states.size === 1;
}

/**
 * The words that a sender has for its states: in which its troubles differ from their recoveries, where they differ in nothing
 * else. They are its words for other kinds too.
 */
export function lexiconOf(pairs: readonly Pair[]): Lexicon {
  const words = new Map<string, State>();
  const unclear = new Set<string>();
  const mark = (word: string, state: State) => {
    if ((words.get(word) ?? state) !== state) unclear.add(word);
    words.set(word, state);
  };
  for (const { trouble, recovery, ended } of pairs) {
    const [theirs, ours] = [wordingOf(trouble), wordingOf(recovery)];
    const [on, ...moreOn] = [...theirs].filter((word) => !ours.has(word));
    const [over, ...moreOver] = [...ours].filter((word) => !theirs.has(word));
    const signs = [signOf(trouble), signOf(recovery)] as const;
    if (ended >= LEARNED && signs[0] !== null && signs[1] !== null && signs[0] !== signs[1]) {
      mark(signs[0], 'firing');
      mark(signs[1], 'resolved');
    }
    if (ended < LEARNED || on === undefined || over === undefined || moreOn.length + moreOver.length > 0)
      continue;
    mark(on, 'firing');
    mark(over, 'resolved');
  }
  for (const word of unclear) words.delete(word);
  return words;
}

/** The sign before all messages of a kind. */
function signOf({ messages }: Kind): string | null {
  const [first, ...others] = messages.map(({ observation }) => observation.sign);
  return first !== undefined && first !== null && others.every((sign) => sign === first) ? first : null;
}

/** How often a word has to have been a state. */
const LEARNED = 3;

/**
 * The places in which recoveries have what a trouble before them had. A number is an object only where each of them agrees in
 * it; a measurement seldom does. What says that all is well may say so of much that never failed: then it is an object where
 * most of what failed is named by a later one, and others name others.
 */
function objectsOf(
  troubles: readonly Seen[],
  recoveries: readonly Seen[],
  isOfMuch = false,
): [string, string][] {
  const begins = Math.min(...troubles.map(({ at }) => at));
  const late = recoveries.filter(({ at }) => at > begins);
  const before = firstsOf(troubles);
  const keys = (messages: readonly Seen[]) =>
    [...new Set(messages.flatMap(({ slots }) => [...slots.keys()]))].filter(
      (key) => messages.filter(({ slots }) => slots.has(key)).length >= AGREED * messages.length,
    );
  const isOfEach = (other: string, key: string) => {
    const failed = [...(before.get(other) ?? [])];
    const over = failed.filter(([value, { at }]) =>
      late.some((one) => one.at > at && one.slots.get(key)?.value === value),
    );
    return (
      over.length > failed.length / 2 && new Set(late.map(({ slots }) => slots.get(key)?.value)).size > 1
    );
  };
  const theirs = keys(troubles);
  const taken = new Set<string>();
  return keys(late).flatMap((key): [string, string][] => {
    const values = late.flatMap(({ at, slots }) => (slots.has(key) ? [{ at, slot: slots.get(key) }] : []));
    const agreeing = theirs
      .filter((other) => !taken.has(other))
      .map((other) => ({
        other,
        agreed: values.filter(({ at, slot }) => {
          const first = before.get(other)?.get(slot?.value ?? '');
          return first !== undefined && first.at < at && isSame(slot, first.slot);
        }).length,
      }))
      .sort((a, b) => b.agreed - a.agreed || Number(b.other === key) - Number(a.other === key));
    const [best] = agreeing;
    const isNumber = values.some(({ slot }) => slot?.holds === 'changing');
    const enough = isNumber ? Math.max(2, NUMBERED * values.length) : AGREED * values.length;
    if (best === undefined || best.agreed === 0) return [];
    if (best.agreed < enough && !(isOfMuch && !isNumber && isOfEach(best.other, key))) return [];
    taken.add(best.other);
    return [[key, best.other]];
  });
}

/** Where each value of each place stood first. */
function firstsOf(messages: readonly Seen[]): Map<string, Map<string, { at: number; slot: Slot }>> {
  const firsts = new Map<string, Map<string, { at: number; slot: Slot }>>();
  for (const { at, slots } of messages)
    for (const [key, slot] of slots) {
      const values = firsts.get(key) ?? new Map<string, { at: number; slot: Slot }>();
      if (!values.has(slot.value)) values.set(slot.value, { at, slot });
      firsts.set(key, values);
    }
  return firsts;
}

/** Places that hold names of one kind in both, in which recoveries did not agree with their troubles. */
function varyingOf(
  troubles: readonly Seen[],
  recoveries: readonly Seen[],
  objects: readonly (readonly [string, string])[],
): string[] {
  const namesIn = (messages: readonly Seen[]) => {
    const names = new Map<string, Set<string>>();
    for (const { slots } of messages)
      for (const { key, value, holds } of slots.values())
        if (holds === 'name') names.set(key, (names.get(key) ?? new Set()).add(value));
    return names;
  };
  const agreed = new Set(objects.flat());
  const theirs = [...namesIn(recoveries)].filter(([key]) => !agreed.has(key));
  return [...namesIn(troubles)]
    .filter(
      ([key, names]) =>
        !agreed.has(key) && theirs.some(([, others]) => [...others].some((name) => names.has(name))),
    )
    .map(([key]) => key);
}

function isSame(one: Slot | undefined, other: Slot | undefined): boolean {
  if (one === undefined || other === undefined || one.value !== other.value) return false;
  return one.holds !== 'changing' || (one.isNumber && other.isNumber);
}

/** What a message has in these places. */
export function objectIn({ slots }: Seen, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => slots.get(key)?.value ?? null));
}

/** The share of recoveries from which first sight tells a sender's problems. */
const TOLD = 0.75;

/** How many recoveries first sight takes for the problem of a trouble before them. */
function toldOf(troubles: readonly Seen[], recoveries: readonly Seen[]): number {
  return recoveries.filter(
    ({ at, observation: { fingerprint } }) =>
      fingerprint !== null &&
      troubles.some((trouble) => trouble.at < at && trouble.observation.fingerprint === fingerprint),
  ).length;
}

/** How often recoveries ended a trouble with their objects, or nothing although there had been such a trouble. */
function played(
  troubles: readonly Seen[],
  recoveries: readonly Seen[],
  objects: readonly (readonly [string, string])[],
): { ended: number; endedNothing: number; names: number } {
  const open = new Set<string>();
  const ended: string[] = [];
  let endedNothing = 0;
  const isRecovery = new Set(recoveries);
  for (const one of [...troubles, ...recoveries].sort((a, b) => a.at - b.at)) {
    const object = objectIn(
      one,
      objects.map(([recovery, trouble]) => (isRecovery.has(one) ? recovery : trouble)),
    );
    if (!isRecovery.has(one)) open.add(object);
    else if (open.delete(object)) ended.push(object);
    else endedNothing += 1;
  }
  return { ended: ended.length, endedNothing, names: new Set(ended).size };
}

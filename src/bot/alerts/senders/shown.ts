import { type Kind, linesOf, type Seen, statesAt, valueAt } from './kinds.ts';
import type { Learned } from './learned.ts';
import { type Pattern, patternOf, readWith, type SenderMap } from './map.ts';
import { isNoise, type Pair } from './pairs.ts';
import { CLOCK, classOf, wordsOfLine } from './words.ts';

/** A part of a kind's messages that may tell its problems apart, or say their state. */
export interface Part {
  key: string;
  /** Of its field; `null` for a word of a sentence. */
  label: string | null;
  /** What its messages have there, each once. */
  values: readonly string[];
  mayBeState: boolean;
}

/** A kind of a sender's messages, as a person is asked about it. */
export interface ShownKind {
  /** The same for the same messages. */
  id: string;
  kind: Kind;
  messages: number;
  /** How its messages begin, without what differs. */
  heading: string;
  /** Two of its messages, in which as much as possible differs. */
  examples: readonly string[];
  is: 'trouble' | 'recovery' | 'no_alert';
  /** The kinds of trouble that it ends. */
  ends: readonly string[];
  parts: readonly Part[];
  /** The parts that tell its problems apart. */
  objects: readonly string[];
  /** Whether enough of its messages show that. */
  isSure: boolean;
  /** A language model said so, and its messages bear it out. */
  isProposed?: true;
}

/** From so many problems that it ended, a recovery is one. */
const ENOUGH = 3;

/**
 * What is known of a sender's kinds of messages, the most frequent first.
 *
 * @param map what a person confirmed
 * @param proposed what a language model supposes, where nobody confirmed anything
 * @param states the places of which a person said that they hold the state
 */
export function shownKinds(
  source: string,
  { kinds, pairs, readings }: Learned,
  {
    map,
    proposed = null,
    states = [],
  }: { map: SenderMap | null; proposed?: SenderMap | null; states?: readonly string[] },
): ShownKind[] {
  const split = kinds.flatMap((kind) => splitBy(kind, [...states, ...hiddenIn(kind, pairs)]));
  const hasAlerts = pairs.length > 0 || readings.some(({ kind }) => kind === 'firing');
  const shown = split
    .toSorted((a, b) => b.messages.length - a.messages.length)
    .map((kind, at): ShownKind & { problem: number | null } => {
      const [first] = kind.messages;
      const said = map ?? proposed;
      const told = said === null || first === undefined ? null : readWith(said, source, first.observation);
      const mine = pairs.filter(({ trouble, recovery }) => [trouble.key, recovery.key].includes(kind.key));
      const parts = partsOf(kind);
      const examples = examplesOf(kind);
      const heading = headingOf(kind, examples);
      const base = {
        id: String(at),
        kind,
        messages: kind.messages.length,
        heading,
        examples,
        parts,
        ends: [],
        problem: null,
      };
      if (told !== null) {
        const objects = parts.filter(({ key }) =>
          told.objects.includes((first && valueAt(first, key)) ?? ''),
        );
        const is = { firing: 'trouble', resolved: 'recovery', not_an_alert: 'no_alert' } as const;
        return {
          ...base,
          is: is[told.kind],
          problem: told.problem,
          objects: objects.map(({ key }) => key),
          isSure: map !== null,
          ...(map === null ? { isProposed: true as const } : {}),
        };
      }
      const is = readingOf(kind, mine, readings);
      const paired = mine.flatMap(({ trouble, objects }) =>
        objects.map((pair) => pair[trouble.key === kind.key ? 1 : 0]),
      );
      const named = mine.length === 0 ? [...namesIn(kind), ...tellingIn(kind, parts, readings)] : paired;
      return {
        ...base,
        is,
        objects: parts.flatMap(({ key }) => (named.includes(key) ? [key] : [])),
        isSure: !hasAlerts || kind.messages.length === 1 || isSure(kind, is, mine),
      };
    });
  return shown.map(({ problem, ...one }) => {
    const troubles = shown.filter((other) =>
      problem === null
        ? pairs.some(
            ({ trouble, recovery }) => recovery.key === one.kind.key && trouble.key === other.kind.key,
          )
        : other.problem === problem && other.is === 'trouble',
    );
    return { ...one, ends: one.is === 'recovery' ? troubles.map(({ id }) => id) : [] };
  });
}

/** The place by which the miner already told two of its kinds apart. */
function hiddenIn(kind: Kind, pairs: readonly Pair[]): string[] {
  return pairs.flatMap(({ trouble: { key, state } }) =>
    state !== undefined && key.startsWith(`${kind.key} ${state} `) ? [state] : [],
  );
}

function splitBy(kind: Kind, states: readonly string[]): Kind[] {
  return states.map((key) => statesAt(kind, key)).find(({ length }) => length > 0) ?? [kind];
}

function readingOf(
  { key, messages }: Kind,
  pairs: readonly Pair[],
  readings: Learned['readings'],
): ShownKind['is'] {
  if (pairs.some(({ trouble }) => trouble.key === key)) return 'trouble';
  if (pairs.length > 0) return 'recovery';
  const read = messages.map(({ at }) => readings[at]?.kind);
  if (read.every((one) => one === 'not_an_alert')) return 'no_alert';
  return read.includes('firing') ? 'trouble' : 'recovery';
}

function isSure(kind: Kind, is: ShownKind['is'], pairs: readonly Pair[]): boolean {
  if (pairs.length > 0) return pairs.every(({ ended, isTold }) => isTold || ended >= ENOUGH);
  if (is === 'no_alert') return isNoise(kind);
  return is === 'trouble' && kind.messages.every(({ observation }) => observation.fingerprint !== null);
}

function namesIn({ messages: [first] }: Kind): string[] {
  return [...(first?.slots.values() ?? [])].flatMap(({ key, holds, isNaming }) =>
    holds === 'name' && isNaming ? [key] : [],
  );
}

/** The parts of which each problem has a value of its own, as its messages are read; of what was always the same, fields. */
function tellingIn({ messages }: Kind, parts: readonly Part[], readings: Learned['readings']): string[] {
  const problems = [...Map.groupBy(messages, ({ at }) => readings[at]?.fingerprint ?? '').values()];
  const isOneValue = (key: string) => (of: readonly Seen[]) =>
    new Set(of.map((one) => valueAt(one, key))).size === 1;
  return parts.flatMap(({ key, values }) =>
    (values.length > 1 ? problems.length > 1 : isWord(key, values)) && problems.every(isOneValue(key))
      ? [key]
      : [],
  );
}

function isWord(key: string, [value = '']: readonly string[]): boolean {
  return key.endsWith(':') && classOf(value) === 'word';
}

/** The parts that all of a kind's messages have, what changes with each of them last. */
function partsOf(kind: Kind): Part[] {
  const [first] = kind.messages;
  const places = [...(first?.slots.keys() ?? [])];
  const known = new Set(places.map((key) => labelOf(kind, key)));
  const labels = linesOf(first?.observation ?? NOTHING).flatMap(({ words: [label = '', _, ...others] }) =>
    label.endsWith(':') &&
    others.length === 0 &&
    classOf(label.slice(0, -1)) === 'word' &&
    !known.has(label.slice(0, -1))
      ? [label]
      : [],
  );
  return [...places, ...new Set(labels)]
    .flatMap((key): (Part & { changes: boolean })[] => {
      const found = kind.messages.flatMap((one) => valueAt(one, key) ?? []);
      const values = [...new Set(found)];
      if (found.length < kind.messages.length || values.includes(CLOCK) || key === kind.state) return [];
      const changes = kind.messages.every(({ slots }) => slots.get(key)?.holds === 'changing');
      return [
        { key, label: labelOf(kind, key), values, mayBeState: statesAt(kind, key).length > 0, changes },
      ];
    })
    .sort((a, b) => Number(a.changes) - Number(b.changes))
    .map(({ changes: _, ...part }) => part);
}

const NOTHING = { lines: [], failing: [] };

function labelOf({ messages: [first] }: Kind, key: string): string | null {
  if (key.endsWith(':')) return key.slice(0, -1);
  const template = first?.templates.find(({ id }) => key.startsWith(`${id}.`));
  const [label = ''] = template?.words ?? [];
  return label.endsWith(':') ? label.slice(0, -1) : null;
}

function examplesOf({ messages }: Kind): string[] {
  const text = ({ headline, observation }: Seen) => headline ?? observation.lines[0] ?? '';
  const [first] = messages;
  const other = messages.findLast((one) => first !== undefined && text(one) !== text(first));
  return [first, other].flatMap((one) => (one === undefined ? [] : [text(one)]));
}

/** How a kind begins, as its first message has it, without what differs. */
function headingOf({ messages: [first] }: Kind, [text = '']: readonly string[]): string {
  const [template] = first?.templates ?? [];
  const fixed = new Set(template?.words.flatMap((word) => word.split(' ')));
  const words = text.split(/\s+/u).map((word) => {
    const parts = wordsOfLine(word).flatMap((part) => part.split(' '));
    return parts.every((part) => fixed.has(part) || fixed.has(`${part}:`)) ? word : '…';
  });
  return words.filter((word, at) => word !== '…' || words[at - 1] !== '…').join(' ');
}

/** What a person says of a kind. */
export interface Answer {
  id: string;
  /** `ends`: the kinds of trouble that it ends. */
  is: 'trouble' | 'no_alert' | { ends: readonly string[] };
  objects: readonly string[];
}

/** What a kind is read as now, as if a person had said it. */
export function asRead({ id, is, ends, objects }: ShownKind): Answer[] {
  if (is !== 'recovery') return [{ id, is, objects }];
  return ends.length === 0 ? [] : [{ id, is: { ends }, objects }];
}

/** The kinds whose answers contradict each other, or the map that they make. Those not asked about stay as they were. */
export function mapOf(
  source: string,
  kinds: readonly ShownKind[],
  answers: readonly Answer[],
  before: SenderMap | null,
): { map: SenderMap } | { wrong: string[] } {
  const answered = answers.flatMap((answer) => {
    const shown = kinds.find(({ id }) => id === answer.id);
    return shown === undefined ? [] : [{ ...answer, shown }];
  });
  const objectsOf = new Map(answered.map(({ id, objects }) => [id, objects.length]));
  const wrong = answered.flatMap(({ id, is, objects }) => {
    if (typeof is === 'string') return [];
    const isPaired = is.ends.every(
      (of) =>
        objectsOf.get(of) === objects.length && answered.some((one) => one.id === of && one.is === 'trouble'),
    );
    return isPaired ? [] : [id];
  });
  if (wrong.length > 0) return { wrong };
  const patterns = new Map(answered.map((one) => [one.id, patternIn(one, answered)]));
  const patternsOf = (ids: readonly string[]) =>
    ids.flatMap((id) => (patterns.has(id) ? [patterns.get(id) ?? []] : []));
  const groups: { troubles: string[]; recoveries: string[] }[] = answered.flatMap(({ id, is }) =>
    is === 'trouble' ? [{ troubles: [id], recoveries: [] }] : [],
  );
  for (const { id, is } of answered) {
    if (typeof is === 'string') continue;
    const joined = groups.filter(({ troubles }) => troubles.some((of) => is.ends.includes(of)));
    const [first, ...others] = joined;
    if (first === undefined) continue;
    for (const other of others) {
      first.troubles.push(...other.troubles);
      first.recoveries.push(...other.recoveries);
      groups.splice(groups.indexOf(other), 1);
    }
    first.recoveries.push(id);
  }
  const isAnswered = (pattern: Pattern) => {
    const alone = { problems: [], noAlert: [pattern] };
    return answered.some(({ shown }) =>
      shown.kind.messages.some(({ observation }) => readWith(alone, source, observation) !== null),
    );
  };
  const kept = (all: readonly Pattern[]) => all.filter((pattern) => !isAnswered(pattern));
  const old =
    before?.problems.map(({ trouble, recovery }) => ({ trouble: kept(trouble), recovery: kept(recovery) })) ??
    [];
  return {
    map: {
      problems: [
        ...groups.map(({ troubles, recoveries }) => ({
          trouble: patternsOf(troubles),
          recovery: patternsOf(recoveries),
        })),
        ...old.filter(({ trouble }) => trouble.length > 0),
      ],
      noAlert: [
        ...patternsOf(answered.flatMap(({ id, is }) => (is === 'no_alert' ? [id] : []))),
        ...kept(before?.noAlert ?? []),
      ],
    },
  };
}

/** How a kind is worded, with its color and sign where another kind has the same words. */
function patternIn(
  { shown, objects }: { shown: ShownKind; objects: readonly string[] },
  all: readonly { shown: ShownKind; objects: readonly string[] }[],
): Pattern {
  const pattern = patternOf(shown.kind, objects);
  const plain = JSON.stringify(patternOf(shown.kind, []));
  const isShared = all.some(
    (other) => other.shown !== shown && JSON.stringify(patternOf(other.shown.kind, [])) === plain,
  );
  const { color, sign } = shown.kind.messages[0]?.observation ?? { color: null, sign: null };
  const marks = [color, sign].filter((mark) => mark !== null).map((mark) => `#${mark}`);
  return isShared ? [...pattern, ...marks] : pattern;
}

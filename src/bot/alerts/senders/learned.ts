import { fingerprintOf } from '../identity.ts';
import type { Alert } from '../types.ts';
import { headOf, type Kind, kindsOf, type Seen, seenOf, wordingOf } from './kinds.ts';
import { readWith, type SenderMap } from './map.ts';
import type { Observation } from './observation.ts';
import { isMarked, lexiconOf, objectIn, type Pair, pairsOf } from './pairs.ts';
import type { Lexicon } from './words.ts';

/** How a message is read among the others of its sender. */
export interface LearnedReading extends Pick<Alert, 'kind' | 'fingerprint' | 'environment'> {
  /** The first line that not all of its messages have, where first sight took another for the title, or none. */
  headline: string | null;
  /** A person said so. */
  isConfirmed?: true;
}

/** What a sender's messages taught: its kinds, which of them ends which, and how each message is read with that. */
export interface Learned {
  kinds: readonly Kind[];
  pairs: readonly Pair[];
  readings: readonly LearnedReading[];
}

/** A problem that goes on. */
interface Open {
  seen: Seen;
  fingerprint: string | null;
  environment: string | null;
}

/**
 * Learns from a sender's messages in order. It is the same for the same messages, wherever it is asked. What a person
 * confirmed is as if the tool stated it.
 */
export function learn(
  source: string,
  observations: readonly Observation[],
  map: SenderMap | null = null,
): Learned {
  const told = observations.map((one) => (map === null ? null : readWith(map, source, one)));
  const stated = withoutDeliveries(observations).map((one, at): Observation => {
    const { kind, fingerprint } = told[at] ?? one;
    return told[at] == null ? one : { ...one, kind, fingerprint, isStated: true };
  });
  const seen = seenOf(stated);
  const lexicon = lexiconOf(pairsOf(kindsOf(seen, new Map()), new Map()));
  const kinds = kindsOf(seen, lexicon);
  const pairs = pairsOf(kinds, lexicon);
  const troubles = new Set(pairs.flatMap(({ trouble }) => trouble.messages));
  const fires = (one: Seen) => one.observation.kind === 'firing' || troubles.has(one) || saysSo(one, lexicon);
  const problems = new Problems(source, pairs);
  for (const one of seen) if (fires(one)) problems.know(one);
  const readings = read(seen, pairs, problems, fires).map((reading, at) => {
    const known = told[at];
    if (known == null) return reading;
    const isUntitled = seen[at]?.hasLetterhead === true || observations[at]?.kind === 'not_an_alert';
    const headline = isUntitled ? (seen[at]?.headline ?? null) : null;
    return {
      ...reading,
      kind: known.kind,
      fingerprint: known.fingerprint,
      headline,
      isConfirmed: true as const,
    };
  });
  return { kinds, pairs, readings };
}

/** What a tool states is of one message where it never stated the same twice. */
function withoutDeliveries(observations: readonly Observation[]): readonly Observation[] {
  const stated = observations.flatMap(({ isStated, fingerprint }) => (isStated ? [fingerprint] : []));
  if (stated.length < FEW || new Set(stated).size < stated.length) return observations;
  return observations.map((one) => (one.isStated ? { ...one, isStated: false, fingerprint: null } : one));
}

/** Of fewer messages it is not known what their tool states. */
const FEW = 4;

/** Whether a message that first sight could not read has the sender's own word for trouble. */
function saysSo({ observation, words }: Seen, lexicon: Lexicon): boolean {
  if (observation.kind !== 'not_an_alert' || !isMarked(words, 'firing', lexicon)) return false;
  return words.some((word) => lexicon.get(word) === 'firing');
}

function read(
  seen: readonly Seen[],
  pairs: readonly Pair[],
  problems: Problems,
  fires: (one: Seen) => boolean,
): LearnedReading[] {
  const ends = pairsOfMessages(pairs, ({ recovery }) => recovery);
  const ofTrouble = pairsOfMessages(pairs, ({ trouble }) => trouble);
  const open: Open[] = [];
  const past: Open[] = [];
  const close = ({ fingerprint }: Open) => {
    for (const ended of open.filter((other) => other.fingerprint === fingerprint))
      open.splice(open.indexOf(ended), 1);
  };
  return seen.map((one) => {
    const { kind, fingerprint, environment, isStated } = one.observation;
    const headline = one.hasLetterhead || kind === 'not_an_alert' ? one.headline : null;
    const asBefore = { kind, fingerprint, environment, headline };
    const ending = ends.get(one) ?? [];
    if (kind === 'resolved' && fingerprint !== null && !isStated) {
      const isSame = ({ seen: { observation } }: Open) =>
        observation.fingerprint === fingerprint && observation.environment === environment;
      const same = distinct(open.filter(isSame));
      const [problem] = same;
      if (problem !== undefined && same.length === 1) {
        close(problem);
        return { ...asBefore, fingerprint: problem.fingerprint };
      }
    }
    if (ending.length > 0 && !isStated) {
      const isEnded = ({ seen: trouble }: Open) =>
        ending.some(
          (pair) =>
            (ofTrouble.get(trouble)?.includes(pair) ?? false) &&
            (pair.objects.length > 0 || areOfOne(trouble.observation.subject, one.observation.subject)) &&
            objectIn(
              trouble,
              pair.objects.map(([, key]) => key),
            ) ===
              objectIn(
                one,
                pair.objects.map(([key]) => key),
              ),
        );
      const known = distinct(past.filter(isEnded));
      const now = known.filter((problem) => open.some((other) => other.fingerprint === problem.fingerprint));
      const before = now.length > 0 ? now : known;
      const [problem] = before;
      if (problem === undefined) return asBefore;
      // Of several that go on, which one is over is not known here.
      if (before.length > 1) return { ...asBefore, kind: 'resolved' as const };
      close(problem);
      const isNews = now.length > 0 || kind === 'resolved';
      return isNews
        ? {
            kind: 'resolved' as const,
            fingerprint: problem.fingerprint,
            environment: environment ?? problem.environment,
            headline,
          }
        : asBefore;
    }
    if (fires(one)) {
      const problem = isStated ? { fingerprint, environment } : problems.of(one);
      const trouble = { seen: one, ...problem };
      open.push(trouble);
      past.push(trouble);
      return { kind: 'firing' as const, ...problem, headline };
    }
    return asBefore;
  });
}

/** Whether one says no more than the other of what both are about. */
function areOfOne(one: readonly string[], other: readonly string[]): boolean {
  return one.every((name) => other.includes(name)) || other.every((name) => one.includes(name));
}

function distinct(open: readonly Open[]): Open[] {
  return [...new Map(open.map((one) => [one.fingerprint, one])).values()];
}

function pairsOfMessages(pairs: readonly Pair[], side: (pair: Pair) => Kind): Map<Seen, Pair[]> {
  const found = new Map<Seen, Pair[]>();
  for (const pair of pairs)
    for (const message of side(pair).messages) found.set(message, [...(found.get(message) ?? []), pair]);
  return found;
}

/**
 * The identity of each trouble: that of the first message about it. Messages are about one problem if all that they name is
 * the same; those that first sight took for one are two if they differ in what tells their recoveries apart.
 */
class Problems {
  readonly #source: string;
  readonly #families = new Map<Seen, string>();
  readonly #varying = new Map<Seen, Set<string>>();
  readonly #objects = new Map<Seen, Set<string>>();
  /** Whose recoveries first sight already takes for the same problem. */
  readonly #told = new Set<Seen>();
  readonly #known = new Map<string, Pick<Alert, 'fingerprint' | 'environment'>>();
  readonly #taken = new Map<string, { said: string | null; head: string; fingerprint: string }[]>();

  constructor(source: string, pairs: readonly Pair[]) {
    this.#source = source;
    for (const { trouble, recovery, objects, varying, isTold } of pairs)
      for (const message of trouble.messages) {
        if (isTold) this.#told.add(message);
        this.#families.set(message, this.#families.get(message) ?? [...wordingOf(recovery)].sort().join(' '));
        const dropped = this.#varying.get(message) ?? new Set();
        for (const key of varying) dropped.add(key);
        this.#varying.set(message, dropped);
        const keys = this.#objects.get(message) ?? new Set();
        for (const [, key] of objects) keys.add(key);
        this.#objects.set(message, keys);
      }
  }

  know(seen: Seen): void {
    if (this.#known.has(this.#keyOf(seen))) return;
    const { fingerprint: first, environment } = seen.observation;
    const own = first ?? fingerprintOf('learned', this.#source, environment ?? '', this.#namedBy(seen));
    const fingerprint = this.#ownOf(own, seen);
    this.#known.set(this.#keyOf(seen), { fingerprint, environment });
  }

  /** Of those that first sight took for one: its first, and the others by what tells them apart. */
  #ownOf(own: string, seen: Seen): string {
    const taken = this.#taken.get(own) ?? [];
    this.#taken.set(own, taken);
    const said = this.#saidOf(seen);
    const head = beginningOf(seen);
    // Where no recovery is known, what is worded as another is about the same.
    const known = taken.find((other) =>
      said === null || other.said === null ? other.head === head : other.said === said,
    );
    const fingerprint =
      known?.fingerprint ?? (taken.length === 0 ? own : fingerprintOf('learned', own, said ?? head));
    taken.push({ said, head, fingerprint });
    return fingerprint;
  }

  of(seen: Seen): Pick<Alert, 'fingerprint' | 'environment'> {
    const { fingerprint, environment } = seen.observation;
    return this.#known.get(this.#keyOf(seen)) ?? { fingerprint, environment };
  }

  /** What tells recoveries of such a problem apart; `null` where no recovery is known. */
  #saidOf(seen: Seen): string | null {
    const keys = this.#objects.get(seen);
    return keys === undefined
      ? null
      : `${this.#families.get(seen) ?? ''} ${objectIn(seen, [...keys].sort())}`;
  }

  /** What a message that first sight gave no identity names as its object. */
  #namedBy(seen: Seen): string {
    return JSON.stringify([beginningOf(seen), seen.observation.subject, this.#namesOf(seen, true)]);
  }

  #keyOf(seen: Seen): string {
    const { environment, fingerprint } = seen.observation;
    if (this.#told.has(seen)) return JSON.stringify([environment ?? '', fingerprint, this.#saidOf(seen)]);
    const isPaired = this.#objects.has(seen);
    const templates = isPaired ? seen.templates.slice(0, headOf(seen)) : seen.templates;
    const ids = templates.map(({ id }) => id).sort((a, b) => a - b);
    return JSON.stringify([environment ?? '', seen.observation.subject, ids, this.#namesOf(seen, isPaired)]);
  }

  #namesOf(seen: Seen, isNamed: boolean): string[] {
    const objects = this.#objects.get(seen);
    return [...seen.slots.values()]
      .filter(({ key, holds, isNaming }) => {
        if (objects?.has(key) === true) return true;
        if (this.#varying.get(seen)?.has(key) === true) return false;
        return holds === 'name' ? isNaming || !isNamed : holds === 'word' && (objects?.size ?? 0) === 0;
      })
      .map(({ key, value }) => `${key}=${value}`)
      .sort();
  }
}

/** How a message begins, whatever its fields say. */
function beginningOf(seen: Seen): string {
  const { templates } = seen;
  const isField = ({ words: [label = ''] }: Seen['templates'][number]) => label.endsWith(':');
  const sentences = templates.filter((template) => !isField(template));
  return (sentences.length > 0 ? sentences : templates)
    .slice(0, headOf(seen))
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join(' ');
}

import { fingerprintOf } from '../identity.ts';
import type { Alert } from '../types.ts';
import { HEAD, type Kind, kindsOf, type Seen, seenOf, wordingOf } from './kinds.ts';
import type { Observation } from './observation.ts';
import { isMarked, lexiconOf, objectIn, type Pair, pairsOf } from './pairs.ts';
import type { Lexicon } from './words.ts';

/** How a message is read among the others of its sender. */
export interface LearnedReading extends Pick<Alert, 'kind' | 'fingerprint' | 'environment'> {
  /** The first line that not all of its messages have. */
  headline: string | null;
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

/** Learns from a sender's messages in order. It is the same for the same messages, wherever it is asked. */
export function learn(source: string, observations: readonly Observation[]): Learned {
  const seen = seenOf(observations);
  const lexicon = lexiconOf(pairsOf(kindsOf(seen, new Map()), new Map()));
  const kinds = kindsOf(seen, lexicon);
  const pairs = pairsOf(kinds, lexicon);
  const troubles = new Set(pairs.flatMap(({ trouble }) => trouble.messages));
  const fires = (one: Seen) => one.observation.kind === 'firing' || troubles.has(one) || saysSo(one, lexicon);
  const problems = new Problems(source, pairs);
  for (const one of seen) if (fires(one)) problems.know(one);
  return { kinds, pairs, readings: read(seen, pairs, problems, fires) };
}

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
  return seen.map((one) => {
    const { kind, fingerprint, environment, isStated } = one.observation;
    const asBefore = { kind, fingerprint, environment, headline: one.headline };
    const ending = ends.get(one) ?? [];
    if (ending.length > 0 && !isStated) {
      const isEnded = ({ seen: trouble }: Open) =>
        ending.some(
          (pair) =>
            (ofTrouble.get(trouble)?.includes(pair) ?? false) &&
            objectIn(
              trouble,
              pair.objects.map(([, key]) => key),
            ) ===
              objectIn(
                one,
                pair.objects.map(([key]) => key),
              ),
        );
      const now = distinct(open.filter(isEnded));
      const before = now.length > 0 ? now : distinct(past.filter(isEnded));
      const [problem] = before;
      if (problem === undefined) return asBefore;
      // Of several that go on, which one is over is not known here.
      if (before.length > 1) return { ...asBefore, kind: 'resolved' as const };
      for (const ended of open.filter((other) => other.fingerprint === problem.fingerprint))
        open.splice(open.indexOf(ended), 1);
      const isNews = now.length > 0 || kind === 'resolved';
      return isNews
        ? {
            kind: 'resolved' as const,
            fingerprint: problem.fingerprint,
            environment: environment ?? problem.environment,
            headline: one.headline,
          }
        : asBefore;
    }
    if (fires(one)) {
      const problem = isStated ? { fingerprint, environment } : problems.of(one);
      const trouble = { seen: one, ...problem };
      open.push(trouble);
      past.push(trouble);
      return { kind: 'firing' as const, ...problem, headline: one.headline };
    }
    return asBefore;
  });
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
  readonly #known = new Map<string, Pick<Alert, 'fingerprint' | 'environment'>>();
  readonly #taken = new Map<string, string>();

  constructor(source: string, pairs: readonly Pair[]) {
    this.#source = source;
    for (const { trouble, recovery, objects, varying } of pairs)
      for (const message of trouble.messages) {
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
    const objects = this.#told(seen);
    const own = first ?? fingerprintOf('learned', this.#source, this.#keyOf(seen));
    const isTaken = (this.#taken.get(own) ?? objects) !== objects;
    const fingerprint = isTaken ? fingerprintOf('learned', own, objects) : own;
    this.#taken.set(own, this.#taken.get(own) ?? objects);
    this.#known.set(this.#keyOf(seen), { fingerprint, environment });
  }

  of(seen: Seen): Pick<Alert, 'fingerprint' | 'environment'> {
    const { fingerprint, environment } = seen.observation;
    return this.#known.get(this.#keyOf(seen)) ?? { fingerprint, environment };
  }

  #told(seen: Seen): string {
    const keys = this.#objects.get(seen) ?? new Set();
    return `${this.#families.get(seen) ?? ''} ${objectIn(seen, [...keys].sort())}`;
  }

  #keyOf(seen: Seen): string {
    const objects = this.#objects.get(seen);
    const isPaired = objects !== undefined;
    const named = [...seen.slots.values()].filter(({ key, holds, isNaming }) => {
      if (objects?.has(key) === true) return true;
      if (this.#varying.get(seen)?.has(key) === true) return false;
      return holds === 'name' ? isNaming || !isPaired : holds === 'word' && !isPaired;
    });
    const templates = isPaired ? seen.templates.slice(0, HEAD) : seen.templates;
    const ids = templates.map(({ id }) => id).sort((a, b) => a - b);
    const values = named.map(({ key, value }) => `${key}=${value}`).sort();
    return JSON.stringify([seen.observation.environment ?? '', ids, values]);
  }
}

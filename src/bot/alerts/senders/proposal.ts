import { createHash } from 'node:crypto';
import { type Pattern, patternOf, readWith, type SenderMap } from './map.ts';
import type { Observation } from './observation.ts';
import { MISSED } from './pairs.ts';
import { type Answer, mapOf, type ShownKind } from './shown.ts';

/** What a language model supposes of a kind of messages. */
export interface Supposition {
  is: ShownKind['is'];
  /** The kind that it ends, or that ends it. */
  other: ShownKind | null;
  /** The parts that tell its problems apart. */
  names: readonly string[];
}

/** Fewer recoveries than these show nothing. */
const FEWEST = 2;

/** The same for the same words, whatever else the sender writes. */
export function wordingKey({ kind }: Pick<ShownKind, 'kind'>): string {
  const [first] = kind.messages;
  const marks = [first?.observation.color, first?.observation.sign];
  return createHash('sha256')
    .update(JSON.stringify([templateOf({ kind }), marks]))
    .digest('hex')
    .slice(0, 24);
}

/** How a kind is worded, with what differs as `*`. */
export function templateOf({ kind }: Pick<ShownKind, 'kind'>): Pattern {
  return patternOf(kind, []);
}

/** The supposition as what a person would confirm; `null` if it contradicts itself, or the messages. */
export function mapOfSupposition(
  source: string,
  kinds: readonly ShownKind[],
  { of, is, other, names }: Supposition & { of: ShownKind },
): SenderMap | null {
  const answers = is === 'no_alert' ? [{ id: of.id, is, objects: [] }] : answersOf(of, is, other, names);
  if (answers === null) return null;
  const made = mapOf(source, kinds, answers, null);
  if ('wrong' in made) return null;
  const messages = kinds.flatMap(({ kind }) => kind.messages).sort((a, b) => a.at - b.at);
  const isTrue = holds(
    made.map,
    source,
    messages.map(({ observation }) => observation),
  );
  return isTrue ? made.map : null;
}

function answersOf(
  of: ShownKind,
  is: 'trouble' | 'recovery',
  other: ShownKind | null,
  names: readonly string[],
): Answer[] | null {
  const known = names.filter((key) => of.parts.some((part) => part.key === key));
  if (other === null) return is === 'trouble' ? [{ id: of.id, is, objects: known }] : null;
  const theirs = sameIn(other, of, known);
  if (theirs.length < known.length) return null;
  const own = { id: of.id, objects: known };
  const paired = { id: other.id, objects: theirs };
  const [trouble, recovery] = is === 'trouble' ? [own, paired] : [paired, own];
  return [
    { ...trouble, is: 'trouble' },
    { ...recovery, is: { ends: [trouble.id] } },
  ];
}

/** The parts of another kind that have most of the same values as these. */
function sameIn(other: ShownKind, of: ShownKind, names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.flatMap((key) => {
    const values = new Set(of.parts.find((part) => part.key === key)?.values);
    const [best] = other.parts
      .map((part) => ({ key: part.key, shared: part.values.filter((value) => values.has(value)).length }))
      .filter((part) => part.shared > 0 && !taken.has(part.key))
      .sort((a, b) => b.shared - a.shared);
    if (best === undefined) return [];
    taken.add(best.key);
    return [best.key];
  });
}

/**
 * Whether messages in order bear out what is supposed of them: trouble and recovery alternate for each object, nothing that fires
 * at first sight is no alert, and no two problems are one that first sight keeps apart.
 */
export function holds(map: SenderMap, source: string, observations: readonly Observation[]): boolean {
  const open = new Set<string>();
  const firstRead = new Map<string, string>();
  let [ended, endedNothing] = [0, 0];
  for (const one of observations) {
    const told = readWith(map, source, one);
    const problem = told?.fingerprint ?? '';
    const asRead = one.fingerprint === null ? null : `${one.fingerprint} ${one.environment ?? ''}`;
    if (told?.kind === 'not_an_alert' && one.kind === 'firing') return false;
    if (told?.kind === 'firing') {
      open.add(problem);
      if (asRead !== null && (firstRead.get(problem) ?? asRead) !== asRead) return false;
      if (asRead !== null) firstRead.set(problem, asRead);
    }
    if (told?.kind !== 'resolved') continue;
    if (open.delete(problem)) ended += 1;
    // Before the first trouble it is not known what was open.
    else if (ended > 0 || open.size > 0) endedNothing += 1;
  }
  const hasRecovery = map.problems.some(({ recovery }) => recovery.length > 0);
  return !hasRecovery || (ended >= FEWEST && endedNothing <= MISSED * ended);
}

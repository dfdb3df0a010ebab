import type { Role } from './types.ts';

/** What the choice of a way depends on. */
export interface Weights {
  ids: readonly string[];
  role: (id: string) => Role;
  /** As the service states it. */
  nodeConfidence: (id: string) => string | undefined;
  /** 0 to 1. */
  edgeConfidence: (from: string, to: string) => number | undefined;
}

interface Way {
  /** Sum of the edges' doubts. */
  doubt: number;
  /** The next step on the way. */
  next: string | undefined;
}

const UNSTATED = 0.5;

/**
 * The likeliest way from a cause to the symptom, as ids: it ends at the first symptom that has a cause (else where
 * the most ways end), begins at what is called a cause, else at the surest beginning, and takes the edges whose
 * confidences have the highest product. What triggered the cause, or alone leads to it, stands before it. Empty if nothing is linked.
 */
export function likelyPath(effects: ReadonlyMap<string, readonly string[]>, weights: Weights): string[] {
  const causes = turned(effects);
  const end = endOf(effects, causes, weights);
  if (end === undefined) return [];
  const ways = waysTo(end, causes, weights);
  const start = [...ways.keys()]
    .filter((id) => id !== end)
    .sort(
      (a, b) =>
        rank(b, causes, weights) - rank(a, causes, weights) ||
        (ways.get(a)?.doubt ?? 0) - (ways.get(b)?.doubt ?? 0),
    )[0];
  if (start === undefined) return [];
  const path: string[] = [];
  for (let id: string | undefined = start; id !== undefined; id = ways.get(id)?.next) path.push(id);
  const before = (causes.get(start) ?? []).filter((id) => !path.includes(id));
  const trigger = before.find((id) => weights.role(id) === 'trigger') ?? before.find((id) => !causes.has(id));
  return trigger === undefined ? path : [trigger, ...path];
}

function endOf(
  effects: ReadonlyMap<string, readonly string[]>,
  causes: ReadonlyMap<string, readonly string[]>,
  { ids, role }: Weights,
): string | undefined {
  const caused = ids.filter((id) => causes.has(id));
  const symptom = caused.find((id) => role(id) === 'symptom');
  if (symptom !== undefined) return symptom;
  const ends = caused.filter((id) => !effects.has(id));
  const sizes = new Map((ends.length > 0 ? ends : caused).map((id) => [id, reach(id, causes)]));
  return [...sizes].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** How sure it is that a way begins here: what is called the cause, then beginnings by their confidence. */
function rank(
  id: string,
  causes: ReadonlyMap<string, readonly string[]>,
  { role, nodeConfidence }: Weights,
): number {
  const called = { cause: 40, trigger: 20, step: 0, symptom: -20 }[role(id)];
  const begins = causes.has(id) ? 0 : 10;
  const said = nodeConfidence(id)?.toLowerCase() ?? '';
  const sure = /high|certain|confirmed/u.test(said) ? 3 : /medium|moderate/u.test(said) ? 2 : 1;
  return called + begins + (/low|ruled/u.test(said) ? 0 : sure);
}

/** Each node from which the end can be reached, with its least doubtful way (Dijkstra, backwards). */
function waysTo(
  end: string,
  causes: ReadonlyMap<string, readonly string[]>,
  { edgeConfidence }: Weights,
): Map<string, Way> {
  const found = new Map<string, Way>();
  const open = new Map<string, Way>([[end, { doubt: 0, next: undefined }]]);
  while (open.size > 0) {
    let nearest: [string, Way] | undefined;
    for (const entry of open) if (!nearest || entry[1].doubt < nearest[1].doubt) nearest = entry;
    if (!nearest) break;
    const [id, way] = nearest;
    open.delete(id);
    found.set(id, way);
    for (const cause of causes.get(id) ?? []) {
      if (found.has(cause)) continue;
      // A step costs a little even where it is certain: of two certain ways, the shorter one.
      const doubt = way.doubt + 0.01 - Math.log(Math.max(0.01, edgeConfidence(cause, id) ?? UNSTATED));
      if (doubt < (open.get(cause)?.doubt ?? Number.POSITIVE_INFINITY)) open.set(cause, { doubt, next: id });
    }
  }
  return found;
}

function reach(id: string, causes: ReadonlyMap<string, readonly string[]>): number {
  const seen = new Set([id]);
  const queue = [id];
  for (let next = queue.pop(); next !== undefined; next = queue.pop())
    for (const cause of causes.get(next) ?? [])
      if (!seen.has(cause)) {
        seen.add(cause);
        queue.push(cause);
      }
  return seen.size;
}

function turned(effects: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const causes = new Map<string, string[]>();
  for (const [from, list] of effects)
    for (const to of list) {
      const known = causes.get(to);
      if (known) known.push(from);
      else causes.set(to, [from]);
    }
  return causes;
}

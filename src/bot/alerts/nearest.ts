import { namesIn } from './names.ts';
import type { Alert } from './types.ts';

/** An alert that fires, and what it leads to. */
export interface Candidate<T> {
  alert: Alert;
  of: T;
}

/** Which of several alerts a recovery in other words ends. */
export type Nearest<T> = { kind: 'one'; of: T } | { kind: 'several'; count: number } | { kind: 'none' };

/** A name that is not an ordinary word: what a recovery names so, its alert has to name too. */
export const PARTICULAR = /[\d\-_./@:]/u;
/** Keys of the basis whose values are words of a text. */
export const WORDED = new Set(['title', 'text', 'author']);
/** Keys of what some tools number anew for the recovery. */
const OCCURRENCE = /(?:^| )(?:alert|event|incident|problem|issue|outage|downtime) (?:id|uid|key|number)$/u;

/**
 * The alert that a recovery ends, by what both name, where their identities differ: the one that shares the most with it,
 * if nothing that the recovery names contradicts it. Of several that are as near, none. Where the recovery states an
 * identity, only what has that too is near, and more than that it need not name.
 */
export function nearestOf<T>(recovery: Alert, all: readonly Candidate<T>[]): Nearest<T> {
  const stated = statedBy(recovery);
  const candidates = stated === null ? all : all.filter(({ alert }) => statedBy(alert) === stated);
  const near = nearestByNames(recovery, candidates);
  if (stated === null || near.kind !== 'none') return near;
  const named = namesOf(recovery);
  const possible = candidates.filter(({ alert }) => !contradicts(recovery, alert, named));
  const [only, ...others] = possible;
  if (only === undefined) return near;
  return others.length > 0 ? { kind: 'several', count: possible.length } : { kind: 'one', of: only.of };
}

function statedBy({ basis }: Alert): string | null {
  return basis?.isStated === true ? JSON.stringify(basis.of) : null;
}

function nearestByNames<T>(recovery: Alert, candidates: readonly Candidate<T>[]): Nearest<T> {
  const named = namesOf(recovery);
  let best = 0;
  let near: T[] = [];
  for (const { alert, of } of candidates) {
    if (contradicts(recovery, alert, named)) continue;
    const theirs = namesOf(alert);
    const shared = [...named].filter((name) => theirs.has(name)).length;
    if (shared === 0 || shared * 2 < named.size || shared < best) continue;
    near = shared > best ? [of] : [...near, of];
    best = shared;
  }
  const [only, ...others] = near;
  if (only === undefined) return { kind: 'none' };
  return others.length > 0 ? { kind: 'several', count: near.length } : { kind: 'one', of: only };
}

function namesOf({ title, host, service, basis }: Alert): Set<string> {
  // A recovery that says no more than which problem is over has its identity for a title.
  const name = basis?.isStated === true && title === basis.of.at(-1) ? null : title;
  const texts = [name, host, service, ...(basis?.by ?? []).map(({ text }) => text)];
  return new Set(texts.flatMap((text) => namesIn(text ?? '')));
}

function contradicts(recovery: Alert, alert: Alert, named: ReadonlySet<string>): boolean {
  const fields = (['host', 'service', 'environment', 'region'] as const).some((field) => {
    const [one, other] = [recovery[field]?.toLowerCase(), alert[field]?.toLowerCase()];
    return one !== undefined && other !== undefined && one !== other;
  });
  if (fields) return true;
  const known = [alert.title, alert.description, alert.host, alert.service, ...alert.tags]
    .concat((alert.basis?.by ?? []).map(({ text }) => text))
    .join('\n')
    .toLowerCase();
  if ([...named].some((name) => PARTICULAR.test(name) && !known.includes(name))) return true;
  const theirs = Map.groupBy(alert.basis?.by ?? [], ({ key }) => key);
  return [...Map.groupBy(recovery.basis?.by ?? [], ({ key }) => key)].some(([key, values]) => {
    const others = theirs.get(key);
    if (others === undefined || WORDED.has(key) || OCCURRENCE.test(key)) return false;
    return values.every(({ text }) => others.every((other) => other.text !== text));
  });
}

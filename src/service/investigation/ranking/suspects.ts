import type { Reason, Suspect, SuspectKind } from './types.ts';

/** A piece of evidence against a service. */
export interface Held {
  service: string;
  weight: number;
  reason: Reason;
}

/** Brings the suspects' shares close to how often the first of them was right. */
const SHARPEN = 1.5;

/**
 * The suspects, most likely first.
 * @param clarity the multiple of the smallest conclusive deviation, 1 or more: barely visible trouble is not certain
 */
export function suspectsOf(held: readonly Held[], clarity: number): Suspect[] {
  const weights = [...Map.groupBy(held, ({ service }) => service)].map(([service, all]) => {
    const sorted = onceForEach(all).toSorted((a, b) => b.weight - a.weight);
    return { service, sorted, weight: sorted.reduce((sum, { weight }) => sum + weight, 0) };
  });
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  const sharp = weights.reduce((sum, { weight }) => sum + weight ** SHARPEN, 0);
  const certainty = 1 - 0.5 / clarity;
  return weights
    .sort((a, b) => b.weight - a.weight)
    .map(({ service, sorted, weight }) => ({
      service,
      score: (certainty * weight ** SHARPEN) / sharp,
      kind: kindOf(sorted[0]?.reason),
      onset: Math.min(...sorted.map(({ reason }) => reason.onset)),
      reasons: sorted.map(({ reason }) => reason),
      explains: weight / total,
    }));
}

/** Several series of one thing, such as those of five instances, weigh as much as the largest. */
function onceForEach(held: readonly Held[]): Held[] {
  const seen = new Set<string>();
  return held
    .toSorted((a, b) => b.weight - a.weight)
    .map((one) => {
      if (one.reason.what !== 'series') return one;
      const key = `${one.reason.aspect} ${one.reason.callee ?? ''}`;
      const again = seen.has(key);
      seen.add(key);
      return again ? { ...one, weight: 0 } : one;
    });
}

function kindOf(reason: Reason | undefined): SuspectKind {
  if (reason === undefined) return 'other';
  if (reason.what === 'series') return reason.aspect;
  if (reason.what === 'cut-short') return 'cut-short';
  if (reason.what === 'failures') return 'errors';
  return reason.what === 'slow-calls' ? 'calls' : 'latency';
}

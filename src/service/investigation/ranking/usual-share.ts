import { type Usual, usual } from '../../../lib/statistics.ts';

/** How much better than `expected` the observed share explains `count` of `of`; 0 if they are equal. */
export function logLikelihoodRatio(count: number, of: number, expected: number): number {
  const term = (k: number, p: number) => (k === 0 ? 0 : k * Math.log(k / of / p));
  return Math.max(0, term(count, expected) + term(of - count, 1 - expected));
}

const MINUTE = 60_000;
/** Fewer observations than this are chance. */
export const FEWEST = 3;
/** The deviation from the past at which something is unusual. */
export const UNUSUAL = 4;
/** With fewer minutes, the share's variation is unknown. */
const FEWEST_MINUTES = 4;

/**
 * How much a share of spans varied from minute to minute in the past: such variation is a mix of requests, not a fault.
 *
 * @param isHit whether a span is counted; `null`: it is not compared at all
 * @param otherwise the share over the whole past, if there are too few minutes
 */
export function usualShare(
  times: ArrayLike<number>,
  { until, now, otherwise }: { until: number; now: number; otherwise: number },
  isHit: (index: number) => boolean | null,
): Usual {
  const minutes = new Map<number, { hits: number; all: number }>();
  for (let i = 0; i < until; i++) {
    const hit = isHit(i);
    if (hit === null) continue;
    const minute = Math.floor(((times[i] ?? 0) - now) / MINUTE);
    const counts = minutes.get(minute) ?? { hits: 0, all: 0 };
    counts.all++;
    if (hit) counts.hits++;
    minutes.set(minute, counts);
  }
  const shares = [...minutes.values()].filter(({ all }) => all >= FEWEST).map(({ hits, all }) => hits / all);
  return shares.length < FEWEST_MINUTES ? { center: otherwise, spread: 0 } : usual(shares);
}

/** The ranking's statistics: robust, because a real system's past contains incidents, too. */

/** The value below which the share `q` of the values lies; NaN if there are none. */
function quantile(values: ArrayLike<number>, q: number): number {
  const sorted = Float64Array.from(values).sort();
  return quantileOfSorted(sorted, q);
}

/** Like `quantile`, for values in ascending order. */
export function quantileOfSorted(sorted: Float64Array, q: number): number {
  if (sorted.length === 0) return Number.NaN;
  const at = (sorted.length - 1) * q;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}

/** The usual level of values, and their usual distance from it. */
interface Usual {
  center: number;
  /** Comparable with a standard deviation; 0 if all values are the same. */
  spread: number;
}

/** Median and median absolute deviation, scaled to equal the standard deviation for normal values. */
export function usual(values: ArrayLike<number>): Usual {
  const center = median(values);
  const deviations = Float64Array.from(values, (value) => Math.abs(value - center));
  return { center, spread: 1.4826 * median(deviations) };
}

export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] ?? 0;
  return sum / values.length;
}

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

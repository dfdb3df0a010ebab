/** What the ranking knows of statistics: robust, because the past of a real system holds incidents, too. */

/** The value below which the share `q` of the values lies; NaN if there are none. */
function quantile(values: ArrayLike<number>, q: number): number {
  const sorted = Float64Array.from(values).sort();
  return quantileOfSorted(sorted, q);
}

/** As `quantile`, of values in ascending order. */
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

/** Where values usually lie, and how far from it they usually are. */
export interface Usual {
  center: number;
  /** Comparable with a standard deviation; 0 if the values are all the same. */
  spread: number;
}

/** Median and median absolute deviation, scaled so that it equals the standard deviation of normal values. */
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

/** How much better a share of its own explains `count` of `of` than the `expected` one does: 0 if it is the same. */
export function logLikelihoodRatio(count: number, of: number, expected: number): number {
  const term = (k: number, p: number) => (k === 0 ? 0 : k * Math.log(k / of / p));
  return Math.max(0, term(count, expected) + term(of - count, 1 - expected));
}

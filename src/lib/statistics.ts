/** Statistics that one bad sample hardly moves: a real system's past contains incidents, too. */

/** The value below which the share `q` of the values lies; NaN if there are none. */
export function quantile(values: ArrayLike<number>, q: number): number {
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
export interface Usual {
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

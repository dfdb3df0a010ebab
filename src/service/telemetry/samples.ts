import { median } from '../../lib/statistics.ts';
import type { Points } from './model.ts';

/*
 * Where numbers come in. What cannot be a measurement is left out, and that is said: a gauge at 1e308 would make an
 * error rate of infinity, or a latency of days without end.
 */

/** Above nanoseconds since the epoch, and above what stands for no limit of bytes (2⁶³): no measurement is larger. */
const MOST = 1e19;

/** Whether a number can be a measurement. */
export function isPlausible(value: number): boolean {
  return Math.abs(value) <= MOST;
}

export interface ReadPoints {
  points: Points;
  /** A value that was left out, since it cannot be a measurement; `null` if there was none. */
  implausible: string | null;
}

/**
 * Samples from pairs of epoch seconds and a number as text, as Prometheus returns them. NaN only counts as implausible
 * if there is nothing else: at single times, it means that there is no value.
 */
export function readPoints(pairs: readonly unknown[]): ReadPoints {
  const times = new Float64Array(pairs.length);
  const values = new Float64Array(pairs.length);
  let count = 0;
  let implausible: string | null = null;
  let sawNaN = false;
  for (const pair of pairs) {
    if (!Array.isArray(pair)) continue;
    const at: unknown = pair[0];
    const text: unknown = pair[1];
    if (typeof at !== 'number' || typeof text !== 'string' || text === '') continue;
    const value = Number(text.replace('Inf', 'Infinity'));
    if (Number.isNaN(value)) sawNaN = true;
    else if (!isPlausible(value)) implausible = text;
    else {
      times[count] = Math.round(at * 1000);
      values[count] = value;
      count++;
    }
  }
  return {
    points: { times: times.slice(0, count), values: values.slice(0, count) },
    implausible: implausible ?? (sawNaN && count === 0 ? 'NaN' : null),
  };
}

/** Earlier samples before later ones; where both have a sample for a time, the later series wins. */
export function joined(past: Points, recent: Points): Points {
  const first = recent.times[0] ?? Number.POSITIVE_INFINITY;
  let count = past.times.length;
  while (count > 0 && (past.times[count - 1] ?? 0) >= first) count--;
  const times = new Float64Array(count + recent.times.length);
  const values = new Float64Array(times.length);
  times.set(past.times.subarray(0, count));
  times.set(recent.times, count);
  values.set(past.values.subarray(0, count));
  values.set(recent.values, count);
  return { times, values };
}

/** Index of the first of ascending values that is not below `least`; their number if all are. */
export function lowerBound(ascending: ArrayLike<number>, least: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Number.POSITIVE_INFINITY) >= least) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** As many samples of each hour, whatever part of it was read finely: the indices at about the oldest samples' distance. */
export function evenly(times: ArrayLike<number>): number[] {
  const first = Array.from(
    { length: Math.min(EVENLY_BY, times.length - 1) },
    (_, i) => (times[i + 1] ?? 0) - (times[i] ?? 0),
  );
  const least = first.length === 0 ? 0 : 0.9 * median(first);
  let last = Number.NEGATIVE_INFINITY;
  return Array.from(times).flatMap((at, i) => {
    if (at - last < least) return [];
    last = at;
    return [i];
  });
}

const EVENLY_BY = 12;

/** So many series of a target move between most samples: it is never still. */
const LIVELY = 3;

/**
 * A target's series without what Prometheus repeats while it scrapes nothing, as over its own restart: there, nothing moves of a
 * target that is never still. A counter's rate is then one over the whole gap, instead of none and a jump.
 */
export function asScraped<T extends { points: Points }>(
  all: readonly T[],
  { from, stepMs }: { from: number; stepMs: number },
): readonly T[] {
  const stepOf = (at = 0) => Math.round((at - from) / stepMs);
  const moved: number[] = [];
  for (const { points } of all)
    points.values.forEach((value, i) => {
      const step = stepOf(points.times[i]);
      moved[step] = (moved[step] ?? 0) + Number(value !== points.values[i - 1]);
    });
  if (!moved.includes(0) || median(Object.values(moved)) < LIVELY) return all;
  return all.map((one) => {
    const isScraped = (_: number, i: number) => moved[stepOf(one.points.times[i])] !== 0;
    const { times, values } = one.points;
    return { ...one, points: { times: times.filter(isScraped), values: values.filter(isScraped) } };
  });
}

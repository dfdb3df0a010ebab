import { lowerBound } from '../../../lib/lower-bound.ts';
import type { Timing, Traced } from './span-times.ts';
import { mean, median, quantileOfSorted, usual } from './statistics.ts';

/** Work, or a call, that takes longer than it used to. */
export interface SlowWork {
  timing: Timing;
  /** How far from its past, in units of what it usually varies by. */
  deviation: number;
  /** Milliseconds that it takes now and that it usually takes, on average. */
  now: number;
  usually: number;
  /** Milliseconds that it adds to a request, averaged over all requests. */
  added: number;
  /** When it began to be slow. */
  onset: number;
}

/** What was compared, also if nothing was unusual: without it nobody knows which calls are as always. */
export interface Compared {
  slow: readonly SlowWork[];
  /** Timings with enough spans then and now. */
  known: readonly Timing[];
}

const MINUTE = 60_000;
/** How far back "now" may reach: a fault is a minute old when the fastest of alerts comes, or some minutes. */
const WINDOWS = [1 * MINUTE, 3 * MINUTE];
/** With fewer spans nothing is said: one slow call is not an incident. */
const FEWEST = 4;
/** From where on a timing counts as unusual. */
const UNUSUAL = 6;
/** Deviations below this share of a usual request are not felt by anybody. */
const FELT = 0.02;
/** So many spans of the past are enough to know how single spans differ. */
const MOST_PAST = 5_000;
/** The least that an average is taken to vary by, as a share of itself. */
const LEAST_SPREAD = 0.1;

/** Compares what each piece of work takes now with what it took in each minute before. */
export function slowWork(traced: Traced, now: number): Compared {
  const typical = median(traced.requests);
  const slow: SlowWork[] = [];
  const known: Timing[] = [];
  for (const timing of traced.timings) {
    let worst: SlowWork | null = null;
    let compared = false;
    for (const window of WINDOWS) {
      const from = lowerBound(timing.times, now - window);
      const requests = traced.roots.length - lowerBound(traced.roots, now - window);
      const past = pastOf(timing, from, now);
      if (timing.times.length - from < FEWEST || past === null) continue;
      compared = true;
      const values = timing.values.subarray(from);
      const average = meanWithoutLargest(values);
      const spread = Math.hypot(
        past.spread,
        LEAST_SPREAD * past.center,
        past.single / Math.sqrt(values.length),
        FELT * typical,
      );
      const deviation = (average - past.center) / spread;
      if (deviation < UNUSUAL || deviation <= (worst?.deviation ?? 0)) continue;
      worst = {
        timing,
        deviation,
        now: average,
        usually: past.center,
        added: ((average - past.center) * values.length) / Math.max(1, requests),
        onset: onsetOf(timing, from, past.center + UNUSUAL * spread),
      };
    }
    if (compared) known.push(timing);
    if (worst !== null) slow.push(worst);
  }
  return { slow: slow.sort((a, b) => b.added - a.added), known };
}

interface Past {
  center: number;
  /** Of the averages of minutes. */
  spread: number;
  /** Of single spans. */
  single: number;
}

/**
 * The average of each minute, and how much these differ. A past that holds an incident has some minutes far off, which
 * the median does not see. With few minutes their spread is not known, and is taken to be as large as the average.
 */
function pastOf(timing: Timing, until: number, now: number): Past | null {
  const minutes: number[] = [];
  let begin = 0;
  for (let i = 0; i <= until; i++) {
    const same =
      i < until &&
      Math.floor(((timing.times[i] ?? 0) - now) / MINUTE) ===
        Math.floor(((timing.times[begin] ?? 0) - now) / MINUTE);
    if (same) continue;
    if (i - begin >= FEWEST) minutes.push(meanWithoutLargest(timing.values.subarray(begin, i)));
    begin = i;
  }
  if (minutes.length === 0) return null;
  const { center, spread } = usual(minutes);
  const sorted = timing.values.slice(Math.max(0, until - MOST_PAST), until).sort();
  const single = (quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25)) / 1.349;
  return { center, spread: minutes.length < 4 ? center : spread, single };
}

/** One call that took long, for whatever reason, decides nothing. */
function meanWithoutLargest(values: Float64Array): number {
  const largest = values.reduce((a, b) => Math.max(a, b), 0);
  return (mean(values) * values.length - largest) / Math.max(1, values.length - 1);
}

/** The first span of the window that took unusually long. */
function onsetOf(timing: Timing, from: number, threshold: number): number {
  for (let i = from; i < timing.times.length; i++) {
    if ((timing.values[i] ?? 0) > threshold) return timing.times[i] ?? 0;
  }
  return timing.times[from] ?? 0;
}

import { lowerBound } from '../../../lib/lower-bound.ts';
import type { Timing, Traced } from './span-times.ts';
import { mean, median, quantileOfSorted, usual } from './statistics.ts';

/** Work, or a call, that takes longer than it used to. */
export interface SlowWork {
  timing: Timing;
  /** Its distance from the past, in units of its usual variation. */
  deviation: number;
  /** Average milliseconds now, and usually. */
  now: number;
  usually: number;
  /** Added milliseconds per request, averaged over all requests. */
  added: number;
  /** When it became slow. */
  onset: number;
}

/** Everything that was compared, even if not unusual: otherwise it is unknown which calls are normal. */
export interface Compared {
  slow: readonly SlowWork[];
  /** Timings with enough spans in both periods. */
  known: readonly Timing[];
}

const MINUTE = 60_000;
/** The lengths of "now": the fastest alerts come a minute after a fault, others after some minutes. */
const WINDOWS = [1 * MINUTE, 3 * MINUTE];
/** The minimum of spans: one slow call is not an incident. */
const FEWEST = 4;
/** The deviation at which a timing is unusual. */
const UNUSUAL = 6;
/** Deviations below this share of a usual request are not noticeable. */
const FELT = 0.02;
/** The number of past spans that suffices to know how single spans vary. */
const MOST_PAST = 5_000;
/** The minimum variation assumed for an average, as a share of it. */
const LEAST_SPREAD = 0.1;

/** Compares each piece of work's current time with its time in each earlier minute. */
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
  /** For averages of minutes. */
  spread: number;
  /** For single spans. */
  single: number;
}

/**
 * The average of each minute, and how much these differ. If the past contains an incident, some minutes are far off,
 * which the median ignores. With few minutes their spread is unknown, and is assumed to equal the average.
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

/** One exceptionally long call decides nothing. */
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

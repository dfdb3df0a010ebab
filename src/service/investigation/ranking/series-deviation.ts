import { lowerBound } from '../../../lib/lower-bound.ts';
import type { Points, Series } from '../../telemetry/model.ts';
import { mean, median, quantileOfSorted } from './statistics.ts';

/** A series that has left its own past, in the direction that is bad for what it measures. */
export interface Deviation {
  series: Series;
  /** In units of what it usually varies by; a series that is as always has about 0. */
  deviation: number;
  /** As the source has them. */
  now: number;
  usually: number;
  /** When it left its past. */
  onset: number;
  /** Nothing of it is left, whatever its past: it explains all that depends on it. */
  isExhausted?: true;
}

/**
 * How long a past is looked at, in milliseconds. The shorter knows the present load, but may hold little else than an
 * earlier incident, so what is rare in it is not taken as usual; the longer knows calmer times.
 */
const PASTS = [
  { length: 3 * 3_600_000, tail: false },
  { length: 7 * 24 * 3_600_000, tail: true },
];
const DAY = 24 * 3_600_000;
/** How far from the same time of day still counts as it. */
const SAME_TIME = 90 * 60_000;
/** One other day is no habit. */
const FEWEST_DAYS = 3;
/** What just happened is not the past: a fault may have been at work unnoticed. */
const GUARD_STEPS = 5;
const GUARD = 10 * 60_000;
/** Without this many samples there is no past to compare with. */
const FEWEST = 12;
/** The newest sample is not now if it is older than this many steps. */
const STALE_STEPS = 3;
/** The least that a value is taken to vary by: as a share of itself, and for shares of requests in absolute terms. */
const LEAST_RELATIVE = 0.1;
const LEAST_SHARE = 0.01;
const LEAST_COUNTED_SHARE = 0.002;
const LEAST_OF_LARGEST = 0.0001;
/** So many requests must lie above a quantile before it is taken at its word. */
const DECIDING = 2;

/**
 * How a series moved, or null where it has no past or no present.
 * @param perSecond requests per second at its service; null if that is not known
 */
export function deviationOf(series: Series, trigger: number, perSecond: number | null): Deviation | null {
  const { times, values } = series.points;
  const end = lowerBound(times, trigger + 1);
  const newest = times[end - 1];
  if (end < FEWEST || newest === undefined) return null;
  const step = stepOf(series.points, end);
  if (newest < trigger - STALE_STEPS * step - GUARD / 2) return null;
  const guard = newest - Math.max(GUARD_STEPS * step, GUARD);
  const past = lowerBound(times, guard);
  const requests = perSecond === null ? null : (perSecond * step) / 1000;
  const scale = scaleOf(series, values.subarray(0, end), requests);
  const certainty = certaintyOf(series, requests);
  let least: { deviation: number; usually: number; threshold: number } | null = null;
  const recent = values.subarray(Math.max(past, end - 2), end);
  for (const { tail, samples } of pastsOf(series.points, { newest, guard, past })) {
    if (samples.length < FEWEST) continue;
    const one = against(samples, recent, scale, tail);
    if (least === null || one.deviation < least.deviation) least = one;
    // Most series are as always; the longer past cannot make them unusual.
    if (least.deviation < 1) break;
  }
  if (least === null) return null;
  let first = end - 1;
  while (first > past && scale.to(values[first - 1] ?? 0) > least.threshold) first--;
  return {
    series,
    deviation: least.deviation * certainty,
    now: values[end - 1] ?? Number.NaN,
    usually: least.usually,
    onset: times[first] ?? newest,
  };
}

/** The pasts that a value is compared with: recent hours, the whole, and this time of day on earlier days. */
function* pastsOf(
  { times, values }: Points,
  { newest, guard, past }: { newest: number; guard: number; past: number },
): Generator<{ samples: Float64Array; tail: boolean }> {
  for (const { length, tail } of PASTS)
    yield { samples: values.subarray(lowerBound(times, guard - length), past), tail };
  // What happens every day at this time is usual, a backup or the morning's traffic, however rare it is over a week.
  const earlier = values.subarray(0, past).filter((_, i) => {
    const ago = newest - (times[i] ?? 0);
    const days = Math.round(ago / DAY);
    return days >= 1 && Math.abs(ago - days * DAY) <= SAME_TIME;
  });
  const days = Math.floor((newest - (times[0] ?? newest)) / DAY);
  if (days >= FEWEST_DAYS) yield { samples: earlier, tail: true };
}

interface Scale {
  /** Larger is worse, and differences mean the same everywhere. */
  to: (value: number) => number;
  back: (value: number) => number;
  /** The least spread, on this scale. */
  least: number;
  /** Which quantiles of the past count as usual: some things fail now and then, and that is how they are. */
  tails: readonly Tail[];
  /** What the average of two samples is worth: more than one where samples are counts of independent requests. */
  pair: number;
}

interface Tail {
  quantile: number;
  /** How many standard deviations above the mean it lies, of normal values. */
  normal: number;
}

const TAIL: Tail = { quantile: 0.95, normal: 1.645 };
const FAR_TAIL: Tail = { quantile: 0.98, normal: 2.054 };

/**
 * Shares of requests are compared by difference, everything else by ratio: a latency that doubles is as bad from 5 ms as
 * from 500. A share of few requests moves by itself: one of them is the least that counts.
 */
function scaleOf({ signal }: Series, known: Float64Array, requests: number | null): Scale {
  const least = requests === null ? LEAST_SHARE : Math.max(LEAST_COUNTED_SHARE, 1 / Math.max(1, requests));
  const counted = { least, tails: [TAIL, FAR_TAIL], pair: Math.SQRT2 };
  if (signal.measure === 'success') return { to: (v) => 1 - v, back: (v) => 1 - v, ...counted };
  if (signal.measure === 'errors') return { to: (v) => v, back: (v) => v, ...counted };
  const sign = signal.bad === 'low' ? -1 : 1;
  // What is mostly zero has no ratio, so all values are raised by a little of the largest.
  const raise = LEAST_OF_LARGEST * known.reduce((a, b) => Math.max(a, b), 0) + Number.MIN_VALUE;
  return {
    to: (v) => sign * Math.log(Math.max(v, 0) + raise),
    back: (v) => Math.exp(sign * v) - raise,
    least: LEAST_RELATIVE,
    tails: [TAIL],
    pair: 1,
  };
}

/** How far a latency can be trusted: a quantile that one request decides is that request. */
function certaintyOf({ signal }: Series, requests: number | null): number {
  if (signal.measure !== 'latency' || requests === null) return 1;
  const above = typeof signal.quantile === 'number' ? (1 - signal.quantile) * requests : requests / 2;
  return Math.min(1, above / DECIDING);
}

function against(
  past: Float64Array,
  recent: Float64Array,
  scale: Scale,
  withTail: boolean,
): { deviation: number; usually: number; threshold: number } {
  const sorted = Float64Array.from(past, scale.to).sort();
  const center = quantileOfSorted(sorted, 0.5);
  const mad = median(sorted.map((value) => Math.abs(value - center)));
  // The upper tail counts as well: what happens once in twenty samples is not an incident.
  const tails = withTail
    ? scale.tails.map(({ quantile, normal }) => (quantileOfSorted(sorted, quantile) - center) / normal)
    : [];
  const spread = Math.max(1.4826 * mad, scale.least, ...tails);
  // The newest sample, or the last two together: one that has passed already is not what goes wrong now.
  const newest = scale.to(recent.at(-1) ?? Number.NaN);
  const two = center + (mean(recent.map(scale.to)) - center) * (recent.length > 1 ? scale.pair : 1);
  const worst = Math.max(newest, two);
  return {
    deviation: (worst - center) / spread,
    usually: scale.back(center),
    threshold: center + 3 * spread,
  };
}

/** The usual time between samples. */
function stepOf({ times }: Points, end: number): number {
  const gaps: number[] = [];
  for (let i = Math.max(1, end - 20); i < end; i++) gaps.push((times[i] ?? 0) - (times[i - 1] ?? 0));
  return median(gaps);
}

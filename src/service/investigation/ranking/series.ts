import { mean, median, quantileOfSorted, usual } from '../../../lib/statistics.ts';
import {
  ALERT_RULE_SIGNAL,
  type Edge,
  type Measure,
  type Points,
  type Series,
  type Signal,
} from '../../telemetry/model.ts';
import { evenly, lowerBound } from '../../telemetry/samples.ts';
import type { Snapshot } from '../../telemetry/view.ts';
import { disappearancesIn } from '../anomalies.ts';
import { type Call, callGraph, isShare, type Moved, shareBlame } from './share-blame.ts';
import type { Aspect, Deviation } from './types.ts';
import { UNUSUAL } from './usual-share.ts';

/**
 * The lengths of the past, in milliseconds. The shorter knows the present load, but may consist largely of an earlier
 * incident, so rare values in it are not taken as usual; the longer knows calmer times.
 */
const PASTS = [
  { length: 3 * 3_600_000, tail: false },
  { length: 7 * 24 * 3_600_000, tail: true },
];
const DAY = 24 * 3_600_000;
/** The tolerance for "the same time of day". */
const SAME_TIME = 90 * 60_000;
/** One other day does not make a habit. */
const FEWEST_DAYS = 3;
/** The last few samples are not the past: a fault may already have been active unnoticed. */
const GUARD_STEPS = 5;
const GUARD = 10 * 60_000;
/** The minimum of samples for a past to compare with. */
const FEWEST = 12;
/** The newest sample is not current if it is older than this many steps. */
const STALE_STEPS = 3;
/** The minimum variation assumed: relative, and absolute for shares of requests. */
const LEAST_RELATIVE = 0.1;
const LEAST_SHARE = 0.01;
const LEAST_COUNTED_SHARE = 0.002;
const LEAST_OF_LARGEST = 0.0001;
/** The number of requests that must lie above a quantile to trust it. */
const DECIDING = 2;

/**
 * How a series moved, or null if it has no past or no present.
 * @param perSecond requests per second at its service; null if unknown
 */
export function deviationOf(series: Series, trigger: number, perSecond: number | null): Deviation | null {
  const { times, values } = series.points;
  const end = lowerBound(times, trigger + 1);
  const newest = times[end - 1];
  if (end < FEWEST || newest === undefined) return null;
  const step = stepOf(series.points, end);
  if (newest < trigger - STALE_STEPS * step - GUARD / 2) return null;
  const requests = perSecond === null ? null : (perSecond * step) / 1000;
  const scale = scaleOf(series, values.subarray(0, end), requests);
  const began = times[beginOfEpisode(times.subarray(0, end), values.subarray(0, end), scale)] ?? newest;
  const guard = Math.min(newest - Math.max(GUARD_STEPS * step, GUARD), began - 2 * step);
  const past = lowerBound(times, guard);
  const certainty = certaintyOf(series, requests);
  let least: { deviation: number; usually: number; threshold: number } | null = null;
  const recent = values.subarray(Math.max(past, end - 2), end);
  for (const { tail, samples } of pastsOf(series.points, { newest, guard, past })) {
    if (samples.length < FEWEST) continue;
    const one = against(samples, recent, scale, tail);
    if (least === null || one.deviation < least.deviation) least = one;
    // Most series are normal; the longer past cannot make them unusual.
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

/** An episode may pause this many samples. */
const PAUSE = 2;
/** What fills a larger share of the past is what is usual. */
const MOST_OF_PAST = 0.4;

/**
 * The first sample of what goes on now. It is not part of the past: an hour of failures would otherwise look like
 * something that happens now and then. Hours count alike, however finely the last of them were read.
 */
function beginOfEpisode(times: Float64Array, values: Float64Array, scale: Scale): number {
  const on = values.map(scale.to);
  const newest = values.length - 1;
  const even = evenly(times).map((i) => on[i] ?? 0);
  const { center, spread } = usual(even.length < FEWEST ? on : even);
  const threshold = center + 3 * Math.max(spread, scale.least);
  let first = values.length;
  for (let i = newest; i >= 0 && first - i <= PAUSE + 1; i--) if ((on[i] ?? 0) > threshold) first = i;
  const lasted = (times[newest] ?? 0) - (times[first] ?? 0);
  const isUsual = lasted > MOST_OF_PAST * ((times[newest] ?? 0) - (times[0] ?? 0));
  return isUsual ? newest : Math.min(first, newest);
}

/** The pasts to compare with: recent hours, everything, and this time of day on earlier days. */
function* pastsOf(
  { times, values }: Points,
  { newest, guard, past }: { newest: number; guard: number; past: number },
): Generator<{ samples: Float64Array; tail: boolean }> {
  for (const { length, tail } of PASTS)
    yield { samples: values.subarray(lowerBound(times, guard - length), past), tail };
  // Anything that happens every day at this time is usual, a backup or the morning's traffic, however rare over a week.
  const earlier = values.subarray(0, past).filter((_, i) => {
    const ago = newest - (times[i] ?? 0);
    const days = Math.round(ago / DAY);
    return days >= 1 && Math.abs(ago - days * DAY) <= SAME_TIME;
  });
  const days = Math.floor((newest - (times[0] ?? newest)) / DAY);
  if (days >= FEWEST_DAYS) yield { samples: earlier, tail: true };
}

interface Scale {
  /** Maps values so that larger is worse, and differences mean the same everywhere. */
  to: (value: number) => number;
  back: (value: number) => number;
  /** The minimum spread, on this scale. */
  least: number;
  /** Which quantiles of the past count as usual: some things fail now and then. */
  tails: readonly Tail[];
  /** The weight of the average of two samples: more than one if samples count independent requests. */
  pair: number;
}

interface Tail {
  quantile: number;
  /** Its height above the mean in standard deviations, for normally distributed values. */
  normal: number;
}

const TAIL: Tail = { quantile: 0.95, normal: 1.645 };
const FAR_TAIL: Tail = { quantile: 0.98, normal: 2.054 };

/**
 * Shares of requests are compared by difference, everything else by ratio: a latency that doubles is as bad from 5 ms
 * as from 500. A share of few requests fluctuates: one request is the smallest change that counts.
 */
function scaleOf({ signal }: Series, known: Float64Array, requests: number | null): Scale {
  const least = requests === null ? LEAST_SHARE : Math.max(LEAST_COUNTED_SHARE, 1 / Math.max(1, requests));
  const counted = { least, tails: [TAIL, FAR_TAIL], pair: Math.SQRT2 };
  if (signal.measure === 'success') return { to: (v) => 1 - v, back: (v) => 1 - v, ...counted };
  if (signal.measure === 'errors') return { to: (v) => v, back: (v) => v, ...counted };
  const sign = signal.bad === 'low' ? -1 : 1;
  // Mostly zero values have no ratio, so all values are raised by a little of the largest.
  const raise = LEAST_OF_LARGEST * known.reduce((a, b) => Math.max(a, b), 0) + Number.MIN_VALUE;
  return {
    to: (v) => sign * Math.log(Math.max(v, 0) + raise),
    back: (v) => Math.exp(sign * v) - raise,
    least: LEAST_RELATIVE,
    tails: [TAIL],
    pair: 1,
  };
}

/** How far a latency can be trusted: a quantile decided by one request is just that request. */
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
  // The upper tail counts as well: something that happens in one of twenty samples is not an incident.
  const tails = withTail
    ? scale.tails.map(({ quantile, normal }) => (quantileOfSorted(sorted, quantile) - center) / normal)
    : [];
  const spread = Math.max(1.4826 * mad, scale.least, ...tails);
  // The newest sample, or the last two together: an excursion that is already over is not the current problem.
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

/** The deviation given to anything used up, however slowly that happened. */
const EXHAUSTED = 30;
/** The share of its limit at which nothing is left. */
const FULL = 0.97;
/** A resource always this full is normal. */
const USUALLY_BELOW = 0.9;
/** A cache that hits less than this share of its usual ratio is gone, or empty. */
const LOST = 0.5;

/**
 * A full disk, exhausted connections or memory, an expired certificate, no instance left: the current value counts, not
 * how fast it got there. `null` if it is not used up, or always was.
 */
export function exhaustionOf(series: Series, trigger: number): Deviation | null {
  const { measure } = series.signal;
  if (measure === 'certificate') return since(series, trigger, (left) => left <= 0, 0);
  if (measure === 'up') return since(series, trigger, (up) => up <= 0, 0);
  if (measure === 'cache-hits') {
    const usually = median(series.points.values);
    return since(series, trigger, (hits) => hits <= LOST * usually, 0);
  }
  if (measure !== 'disk' && measure !== 'connections' && measure !== 'memory') return null;
  const limit = series.signal.unit === '1' ? 1 : (series.limit?.values.at(-1) ?? 0);
  if (limit <= 0) return null;
  return since(series, trigger, (used) => used >= FULL * limit, USUALLY_BELOW * limit);
}

function since(
  series: Series,
  trigger: number,
  isOver: (value: number) => boolean,
  usuallyBelow: number,
): Deviation | null {
  const { times, values } = series.points;
  const end = lowerBound(times, trigger + 1);
  const now = values[end - 1];
  if (end < FEWEST || now === undefined || !isOver(now)) return null;
  let first = end - 1;
  while (first > 0 && isOver(values[first - 1] ?? Number.NaN)) first--;
  const usually = median(values.subarray(0, end));
  if (first === 0 || (usuallyBelow > 0 && usually >= usuallyBelow)) return null;
  return { series, deviation: EXHAUSTED, isExhausted: true, now, usually, onset: times[first] ?? trigger };
}

/** The recent call rates of services: numbers based on few requests say little. */
interface Traffic {
  /** Requests per second; null if not measured. */
  perSecond(service: string): number | null;
  /** Calls per second of one service to another, as the caller counts them. */
  ofCalls(edge: Edge): number | null;
}

/** How many of the newest samples are averaged. */
const NEWEST = 3;

function trafficOf(series: readonly Series[], trigger: number): Traffic {
  const rates = new Map<string, number>();
  for (const { signal, service, edge, points } of series) {
    if (signal.measure !== 'requests' || edge?.side === 'callee') continue;
    const end = lowerBound(points.times, trigger + 1);
    const rate = end === 0 ? 0 : mean(points.values.subarray(Math.max(0, end - NEWEST), end));
    const key = edge === null ? service : callOf(edge);
    rates.set(key, Math.max(rates.get(key) ?? 0, rate));
  }
  return {
    perSecond: (service) => rates.get(service) ?? null,
    ofCalls: (edge) => rates.get(callOf(edge)) ?? rates.get(edge.callee) ?? null,
  };
}

function callOf({ caller, callee }: Edge): string {
  return `${caller}\n${callee}`;
}

/** Failures are counted individually, so a smaller deviation is significant. */
const UNUSUAL_ERRORS = 2.5;
/** The latency of a service's outgoing calls belongs to others. */
const OUTGOING = /\b(client|outbound|outgoing|upstream|egress)\b/;

const ASPECTS: Readonly<Partial<Record<Measure, Aspect>>> = {
  latency: 'latency',
  errors: 'errors',
  success: 'errors',
  cpu: 'saturation',
  throttling: 'saturation',
  memory: 'saturation',
  gc: 'saturation',
  disk: 'other',
  connections: 'saturation',
  'cache-hits': 'saturation',
  waiting: 'other',
  queue: 'other',
  lag: 'other',
  restarts: 'other',
  'oom-kills': 'other',
  up: 'other',
  certificate: 'other',
};

/**
 * Everything that moved, in all services.
 *
 * @param subject the service named by the alert: a machine counts only there, since everything running on it would
 * share its blame
 */
export function movements(snapshot: Snapshot, subject: string | null): Moved[] {
  const graph = callGraph(snapshot.edges);
  const traffic = trafficOf(snapshot.series, snapshot.trigger);
  const candidates = snapshot.series
    .map((series) => ({ series, aspect: aspectOf(series, subject) }))
    .filter((one): one is { series: Series; aspect: Aspect } => one.aspect !== null)
    // The latency of a service that gets no calls is a default or stale value.
    .filter(({ series, aspect }) => aspect !== 'latency' || traffic.perSecond(series.service) !== 0);
  const groups = Map.groupBy(
    candidates,
    ({ series, aspect }) =>
      `${series.service}\n${aspect}\n${series.edge?.callee ?? ''}\n${series.instance ?? ''}\n${aspect === 'latency' ? '' : aspect === 'calls' ? series.signal.measure : series.signal.id}`,
  );
  const moved: Moved[] = [];
  const calls: Call[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { aspect, series } = first;
    const perSecond = series.edge === null ? traffic.perSecond(series.service) : traffic.ofCalls(series.edge);
    const deviation = typical(group.map((one) => stateOf(one.series, snapshot.trigger, perSecond)));
    if (deviation === null) continue;
    const unusual = deviation.deviation >= (isShare(series) ? UNUSUAL_ERRORS : UNUSUAL);
    if (series.edge !== null) calls.push({ edge: series.edge, deviation, unusual });
    else if (unusual) moved.push({ service: series.service, aspect, deviation, own: 1 });
  }
  const reporting = new Set(
    snapshot.series.filter(({ edge }) => edge === null).map(({ service }) => service),
  );
  const all = [...moved, ...disappearances(snapshot)];
  return shareBlame({ moved: all, calls, graph, reporting });
}

function disappearances({ series, trigger }: Snapshot): Moved[] {
  return disappearancesIn(series, trigger).map(({ service, series: shown, onset, before }) => ({
    service,
    aspect: 'other',
    deviation: { series: shown, deviation: EXHAUSTED, isExhausted: true, now: 0, usually: before, onset },
    own: 1,
  }));
}

/** A series' level or its departure from its past, whichever is worse. Certificates only run out. */
function stateOf(series: Series, trigger: number, perSecond: number | null): Deviation | null {
  const exhausted = exhaustionOf(series, trigger);
  if (series.signal.measure === 'certificate') return exhausted;
  const moved = deviationOf(series, trigger, perSecond);
  if (exhausted === null) return moved;
  return { ...exhausted, deviation: Math.max(exhausted.deviation, moved?.deviation ?? 0) };
}

function aspectOf({ signal, edge, service }: Series, subject: string | null): Aspect | null {
  if (signal.shared && service !== subject) return null;
  const aspect =
    ASPECTS[signal.measure] ?? (signal.measure === 'other' && isBadByItself(signal) ? 'other' : null);
  if (aspect !== 'latency' && aspect !== 'errors') return aspect;
  if (edge !== null) return edge.side === 'caller' ? 'calls' : null;
  return aspect === 'latency' && OUTGOING.test(signal.label) ? null : aspect;
}

/** Movement of an unknown metric means nothing, unless an alert says which direction is bad. */
function isBadByItself({ id, bad }: Signal): boolean {
  return bad === 'high' || (bad === 'low' && id === ALERT_RULE_SIGNAL);
}

/**
 * One series for several with the same measure, such as the quantiles of a latency: the mean if there is one, since it
 * covers all requests, or else the lowest quantile, so that a single slow request does not decide.
 */
function typical(deviations: readonly (Deviation | null)[]): Deviation | null {
  const known = deviations
    .filter((one) => one !== null)
    .sort((a, b) => quantileOf(a.series) - quantileOf(b.series));
  return known[0] ?? null;
}

function quantileOf({ signal }: Series): number {
  if (signal.quantile === 'mean') return 0;
  return signal.quantile ?? 1;
}

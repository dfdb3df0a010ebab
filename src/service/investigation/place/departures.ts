import { median, quantile } from '../../../lib/statistics.ts';
import type { Measure, Series } from '../../telemetry/model.ts';
import { keyOf } from '../../telemetry/recent.ts';
import { type Point, pointsIn } from '../../telemetry/view.ts';
import { type Anomaly, profileOf } from '../anomalies.ts';

/**
 * What is out of the ordinary at this moment, from samples as fine as they are scraped. How much past it takes to say so
 * depends on how far out the present is: a third of all requests failing needs none, a latency that doubled needs some
 * minutes without it.
 */

const SECOND = 1_000;

const MINUTE = 60 * SECOND;

/** So long a run is no accident, and takes at least two samples; at the newest end one does, if it is far out. */
const RUN_MS = 12 * SECOND;

const FAR_OUT = 2;

/** Two bad stretches this close are one. */
const BRIDGE = 45 * SECOND;

/** What was usual takes this many samples to know. */
const FEWEST_USUAL = 8;

/** How much of what is known may be bad: a quantile on the good side is what is usual. */
const GOOD_SIDE = 0.25;

/** Requests that failed: fewer may be chance. */
const FEWEST_FAILURES = 5;

/** A share of failures that matters in every system. */
const LEAST_ERRORS = 0.02;

/** In so many requests a smaller share is no chance, and the p95 hardly moves by itself. */
const MANY_REQUESTS = 500;

const LEAST_ERRORS_OF_MANY = 0.015;

/** Without a past, only this share of failures is a fault for certain. */
const LEAST_ERRORS_ALONE = 0.05;

/** How much longer requests take. */
const SLOWER = 2;

const SLOWER_OF_MANY = 1.45;

/** In milliseconds: less is noise of buckets and of schedulers, in relation to what people notice. */
const LEAST_DELAY_MS = 20;

/** The share of its limit at which a pool is full. */
const FULL = 0.9;

/** Memory that only grows: by so much, and in so many of the newest steps. */
const GROWN = 1.25;

const GROWING = 0.8;

const GROWS_FOR = 40 * SECOND;

const SURGE = 2;

interface Judged {
  series: Series;
  /** Fine samples up to the moment, oldest first. */
  points: readonly Point[];
  /** Coarse samples from before them. */
  past: readonly Point[];
  /** Requests that one sample of a rate stands for; `null` if nothing counts them. */
  requestsAt: (at: number) => number | null;
  trigger: number;
}

/** How bad a value is: 1 or more is bad. */
type Judge = (value: number, usual: number | null, at: number, judged: Judged) => number;

const delay = ({ series }: Judged) => (series.signal.unit === 'ms' ? LEAST_DELAY_MS : LEAST_DELAY_MS / 1000);

const errorsJudge: Judge = (value, usual, at, { requestsAt }) => {
  const requests = requestsAt(at);
  if (requests !== null && value * requests < FEWEST_FAILURES) return 0;
  if (usual === null) return value / LEAST_ERRORS_ALONE;
  const least = requests !== null && requests >= MANY_REQUESTS ? LEAST_ERRORS_OF_MANY : LEAST_ERRORS;
  return (value - usual) / Math.max(least, usual);
};

const slowJudge: Judge = (value, usual, at, judged) => {
  if (usual === null) return 0;
  const requests = judged.requestsAt(at);
  const slower = requests !== null && requests >= MANY_REQUESTS ? SLOWER_OF_MANY : SLOWER;
  return (value - usual) / Math.max((slower - 1) * usual, delay(judged));
};

/** Every measure that can be bad by itself, and what makes it so. */
const JUDGES: Readonly<Partial<Record<Measure, Judge>>> = {
  errors: errorsJudge,
  success: (value, usual, at, judged) =>
    errorsJudge(1 - value, usual === null ? null : 1 - usual, at, judged),
  latency: slowJudge,
  queries: slowJudge,
  connections: (value, usual, _at, { series: { limit, signal } }) => {
    const most = signal.unit === '1' ? 1 : (limit?.values.at(-1) ?? 0);
    if (most <= 0 || (usual ?? 0) >= FULL * most) return 0;
    return value / (FULL * most);
  },
  waiting: (value, usual) => (value - (usual ?? 0)) / Math.max(1, usual ?? 0),
  queue: (value, usual) => (usual === null ? 0 : (value - usual) / Math.max(10, 1.5 * usual)),
  lag: (value, usual) => (usual === null ? 0 : (value - usual) / Math.max(30, 2 * usual)),
  up: (value, usual) => (usual === null ? (value <= 0 ? 1 : 0) : (usual - value) / Math.max(0.5, usual / 10)),
  'oom-kills': (value) => value / 0.5,
  certificate: (value) => (value <= 0 ? FAR_OUT : 0),
  requests: (value, usual) => (usual === null ? 0 : (value - usual) / Math.max((SURGE - 1) * usual, 2)),
};

/** Every departure of a series from what is usual, as fine as its samples, oldest first. */
function departuresIn(judged: Judged): Anomaly[] {
  const { series, points } = judged;
  if (series.signal.measure === 'memory') return growthIn(judged);
  const judge = JUDGES[series.signal.measure];
  const newest = points.at(-1);
  if (judge === undefined || newest === undefined) return [];
  const usual = usualOf(judged);
  const badness = points.map(({ value, at }) => judge(value, usual, at, judged));
  return stretches(points, badness, runOf(points)).map(([first, last]) => {
    const inside = points.slice(first, last + 1);
    const before = usual ?? 0;
    const isOngoing = last === points.length - 1;
    const level = isOngoing ? median(inside.slice(-6).map(({ value }) => value)) : extreme(inside, before);
    return {
      series,
      profile: profileOf(series),
      onset: points[beginOf(points, badness, first)]?.at ?? newest.at,
      end: isOngoing ? null : (points[last + 1]?.at ?? null),
      before,
      worst: level,
      worstAt: isOngoing ? newest.at : (inside.find(({ value }) => value === level)?.at ?? newest.at),
    };
  });
}

/** The usual level: on the good side, so that a problem may fill most of what is known. `null` if too little is known. */
function usualOf({ series, points, past }: Judged): number | null {
  const values = [...past, ...points].map(({ value }) => value);
  if (values.length < FEWEST_USUAL) return null;
  const isLow = series.signal.bad === 'low' && series.signal.measure !== 'requests';
  return quantile(values, isLow ? 1 - GOOD_SIDE : GOOD_SIDE);
}

function extreme(points: readonly Point[], before: number): number {
  return points.reduce(
    (most, { value }) => (Math.abs(value - before) > Math.abs(most - before) ? value : most),
    before,
  );
}

function runOf(points: readonly Point[]): number {
  const [before, last] = points.slice(-2);
  const step = before === undefined || last === undefined ? RUN_MS : last.at - before.at;
  return Math.max(2, Math.ceil(RUN_MS / Math.max(1, step)));
}

function stretches(
  points: readonly Point[],
  badness: readonly number[],
  usualRun: number,
): [number, number][] {
  const found: [number, number][] = [];
  let run = 0;
  for (let i = 0; i < points.length; i++) {
    run = (badness[i] ?? 0) >= 1 ? run + 1 : 0;
    const isFarOut = i === points.length - 1 && (badness[i] ?? 0) >= FAR_OUT;
    const least = isFarOut ? usualRun - 1 : usualRun;
    if (run < least) continue;
    const first = i - run + 1;
    const before = found.at(-1);
    if (before && (points[first]?.at ?? 0) - (points[before[1]]?.at ?? 0) <= BRIDGE) before[1] = i;
    else found.push([first, i]);
  }
  // One good sample at the end, where a rate has few, does not end it.
  const last = found.at(-1);
  if (last && last[1] === points.length - 2 && (badness.at(-1) ?? 0) >= 0.5) last[1] = points.length - 1;
  return found;
}

/** The first sample that is on its way: a rate shows a new level only once it stands for nothing else. */
function beginOf(points: readonly Point[], badness: readonly number[], first: number): number {
  let begin = first;
  while (
    begin > 0 &&
    (badness[begin - 1] ?? 0) > 0.25 &&
    (badness[begin - 1] ?? 0) < (badness[begin] ?? 0) &&
    (points[first]?.at ?? 0) - (points[begin - 1]?.at ?? 0) <= MINUTE
  )
    begin--;
  return begin;
}

/** Memory is bad when it only grows; a level alone says nothing. */
function growthIn(judged: Judged): Anomaly[] {
  const { series, points, past } = judged;
  const newest = points.at(-1);
  if (newest === undefined || points.length < FEWEST_USUAL) return [];
  const before = quantile(
    [...past, ...points].map(({ value }) => value),
    GOOD_SIDE,
  );
  if (before <= 0 || newest.value < GROWN * before) return [];
  const latest = points.filter(({ at }) => at > newest.at - GROWS_FOR);
  const steps = latest.slice(1).map(({ value }, i) => value - (latest[i]?.value ?? value));
  const [first] = latest;
  if (first === undefined || steps.length === 0) return [];
  const rising = steps.filter((step) => step > 0).length / steps.length;
  if (rising < GROWING || newest.value - first.value < 0.02 * before) return [];
  // Back to where the climb began: the last sample that is hardly above the lowest one.
  const lowest = before + 0.05 * (newest.value - before);
  const start = points.findLastIndex(({ value }) => value <= lowest);
  return [
    {
      series,
      profile: profileOf(series),
      onset: points[Math.max(0, start)]?.at ?? newest.at,
      end: null,
      before: points[Math.max(0, start)]?.value ?? before,
      worst: newest.value,
      worstAt: newest.at,
    },
  ];
}

/** The departures of every series, and when the samples behind them begin. */
export interface Present {
  /** Of services as a whole, by service. */
  own: ReadonlyMap<string, readonly Anomaly[]>;
  /** Of calls, as their callers measure them. */
  calls: readonly Anomaly[];
  /** The oldest sample of anything. */
  since: number;
  /** Seconds between two samples. */
  stepMs: number;
}

/** How far back coarse samples say what is usual. */
const PAST_MS = 180 * MINUTE;

/**
 * @param recent fine samples of the last minutes
 * @param dense the same series, coarse, from further back
 */
export function presentOf(
  recent: readonly Series[],
  dense: readonly Series[],
  trigger: number,
): Present | null {
  if (recent.length === 0) return null;
  const coarse = new Map(dense.map((series) => [keyOf(series), series]));
  const from = Math.min(...recent.map(({ points }) => points.times[0] ?? trigger));
  const stepMs = stepOf(recent);
  const traffic = new Map(
    recent
      .filter(({ signal }) => signal.measure === 'requests')
      .map((series) => [subjectOf(series), series] as const),
  );
  const own = new Map<string, Anomaly[]>();
  const calls: Anomaly[] = [];
  for (const series of recent) {
    const points = pointsIn(series, { from: 0, to: trigger + 1 });
    const before = coarse.get(keyOf(series));
    const past = before === undefined ? [] : pointsIn(before, { from: trigger - PAST_MS, to: from });
    const requests = traffic.get(subjectOf(series));
    const found = departuresIn({
      series,
      points,
      past,
      trigger,
      requestsAt: (at) => requestsIn(requests, at, 4 * stepMs),
    });
    if (series.edge !== null) calls.push(...found);
    else if (found.length > 0) own.set(series.service, [...(own.get(series.service) ?? []), ...found]);
  }
  const since = Math.min(from, ...dense.map(({ points }) => points.times[0] ?? from));
  return { own, calls, since, stepMs };
}

/** Whether something goes on at a moment, or ended so shortly before that a rate may still hold it. */
export function isOngoing({ onset, end }: Anomaly, trigger: number, stepMs: number): boolean {
  return onset <= trigger && (end === null || end >= trigger - 2 * stepMs);
}

function requestsIn(series: Series | undefined, at: number, windowMs: number): number | null {
  if (series === undefined) return null;
  const { times, values } = series.points;
  const i = times.findLastIndex((time) => time <= at);
  return i < 0 ? null : ((values[i] ?? 0) * windowMs) / 1000;
}

function stepOf(recent: readonly Series[]): number {
  const gaps = recent.flatMap(({ points: { times } }) => {
    const [first, second] = times.subarray(-2);
    return first === undefined || second === undefined ? [] : [second - first];
  });
  return gaps.length === 0 ? 30 * SECOND : median(gaps);
}

function subjectOf({ service, instance, edge }: Series): string {
  return JSON.stringify([service, instance, edge?.caller, edge?.callee]);
}

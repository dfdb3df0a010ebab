import { mean, median, quantile } from '../../lib/statistics.ts';
import type { Change, Measure, Series, Window } from '../telemetry/model.ts';
import { evenly } from '../telemetry/samples.ts';
import { type Point, pointsIn, type ServiceNode, type View } from '../telemetry/view.ts';
import { climbOf, isFilled } from './climb.ts';

/**
 * How a measure behaves in any system: how far beyond its noise it must go to matter. `symptom` is felt by callers,
 * `resource` runs out, `context` only supports a case.
 */
export interface Profile {
  measure: Measure;
  label: string;
  role: 'symptom' | 'resource' | 'context';
  /** The smallest relevant change of a ratio or a count, if that is the same in every system; otherwise 0. */
  least: number;
  /** The smallest relevant change as a share of the previous level. */
  leastShare: number;
  /** How many samples in a row must be bad. */
  run: number;
  /** Words that an issue uses for it. */
  words: RegExp;
  /** It moves slowly, so it began before it was noticeable. */
  creeps?: true;
}

/** Never matches: there is no everyday name for it. */
const NO_WORDS = /(?!)/u;

const profile = (
  measure: Measure,
  label: string,
  role: Profile['role'],
  [least, leastShare, run]: [number, number, number],
  words: RegExp,
): Profile => ({ measure, label, role, least, leastShare, run, words });

/** In order of precedence for a text that mentions several. */
export const PROFILES: readonly Profile[] = [
  profile('errors', 'error rate', 'symptom', [0.015, 1, 2], /error|fail|5xx|exception|declin/iu),
  profile('success', 'success rate', 'symptom', [0.015, 0, 2], /availab|success/iu),
  profile('latency', 'latency', 'symptom', [0, 0.45, 2], /latenc|slow|p9\d|timeout|response time|duration/iu),
  { ...profile('queue', 'queue depth', 'symptom', [10, 1.5, 2], /queue|backlog|depth/iu), creeps: true },
  {
    ...profile('lag', 'oldest message age', 'symptom', [0, 2, 2], /queue age|oldest|stale|\blag/iu),
    creeps: true,
  },
  {
    ...profile('memory', 'memory usage', 'resource', [0.08, 0.12, 2], /memory|heap|oom/iu),
    creeps: true,
  },
  {
    ...profile('connections', 'connections in use', 'resource', [0, 0.5, 2], /connection|pool/iu),
    creeps: true,
  },
  profile('waiting', 'requests waiting for a connection', 'resource', [0.5, 0.5, 2], /waiting|pending/iu),
  {
    ...profile('disk', 'disk usage', 'resource', [0.06, 0.08, 2], /disk|volume|space|storage/iu),
    creeps: true,
  },
  profile('certificate', 'time to certificate expiry', 'resource', [0, 1, 1], /certificate|tls|ssl/iu),
  profile('oom-kills', 'OOM kills', 'resource', [0.5, 0, 1], /oom|out of memory/iu),
  profile('restarts', 'restarts', 'resource', [0.5, 0, 1], /restart|crash/iu),
  profile('up', 'instances up', 'resource', [0.5, 0.1, 2], /\bdown\b|unreachable|not ready|unavailable/iu),
  profile('gc', 'time in garbage collection', 'resource', [0.1, 0.5, 2], /garbage|\bgc\b/iu),
  profile('throttling', 'CPU throttling', 'resource', [0.1, 0.5, 2], /throttl/iu),
  profile('cpu', 'CPU usage', 'context', [0.12, 0.3, 2], /cpu|processor|load/iu),
  profile(
    'requests',
    'throughput',
    'context',
    [0, 0.35, 2],
    /traffic|throughput|\brequests? (?:rate|(?:per|a|each) second)|\b[rq]ps\b/iu,
  ),
  profile('queries', 'mean query time', 'context', [0, 1, 2], NO_WORDS),
  profile('cache-hits', 'cache hit ratio', 'context', [0.08, 0.1, 2], /hit ratio|cache miss/iu),
  profile('activity', 'activity', 'context', [0, 1, 2], NO_WORDS),
  profile('other', 'metric', 'context', [0, 1, 2], NO_WORDS),
];

const BY_MEASURE = new Map(PROFILES.map((one) => [one.measure, one]));

export function profileOf({ signal }: Pick<Series, 'signal'>): Profile {
  const found = BY_MEASURE.get(signal.measure) ?? BY_MEASURE.get('other');
  if (!found) throw new Error(`no profile for ${signal.measure}`);
  return found;
}

/** A period in which a metric deviated. */
export interface Anomaly {
  series: Series;
  profile: Profile;
  /** When it began to move, before that was enough to be noticed. */
  onset: number;
  /** When it returned to normal; `null` while it continues. */
  end: number | null;
  /** The usual level. */
  before: number;
  /** The worst value, and when. */
  worst: number;
  worstAt: number;
}

const MINUTE = 60_000;
/** Two bad stretches this close count as one. */
const BRIDGE = 3 * MINUTE;
/** Of something with a limit, less of it is no change that matters. */
const LEAST_OF_LIMIT = 0.1;
/** At this multiple of the threshold, one sample suffices. */
const GLARING = 2;

/**
 * Every anomaly in a part of a series, oldest first. The usual level is a quantile on the good side, so that a problem
 * may fill most of the window; noise is estimated from differences between neighbors, which a problem hardly affects.
 *
 * @param usual the usual level, if it is known better than by these points
 */
export function anomaliesIn(series: Series, points: readonly Point[], usual?: number): Anomaly[] {
  if (points.length < 10) return [];
  const profile = profileOf(series);
  const up = badWay(series);
  const values = points.map((point) => point.value);
  const before = usual ?? betterPart(series, values);
  const spread = noiseOf(values);
  const far = farFrom(before, series, values);
  const excess = values.map((value) => up * (value - before));
  return stretches(points, excess, far, profile.run).map(([first, last]) => {
    let start = first;
    while (
      profile.creeps &&
      start > 0 &&
      first - start < 16 &&
      (excess[start - 1] ?? 0) > Math.max(2.5 * spread, far / 5)
    )
      start--;
    // What creeps all along began before these points.
    const isRising = (i: number) => up * ((values[i] ?? 0) - (values[i - 3] ?? 0)) > 2.5 * spread;
    let rising = start;
    while (profile.creeps && rising >= 3 && isRising(rising)) rising--;
    const isOlder = rising > 0 && rising < 3 && rising < start;
    let worst = first;
    for (let i = first; i <= last; i++) if ((excess[i] ?? 0) > (excess[worst] ?? 0)) worst = i;
    const ended = points[last + 1];
    return {
      series,
      profile,
      onset: points[isOlder ? 0 : start]?.at ?? 0,
      end: last >= points.length - 2 ? null : (ended?.at ?? null),
      before: isOlder ? (values[0] ?? before) : before,
      worst: values[worst] ?? before,
      worstAt: points[worst]?.at ?? 0,
    };
  });
}

function badWay({ signal }: Series): 1 | -1 {
  return signal.bad === 'low' ? -1 : 1;
}

function betterPart(series: Series, values: readonly number[]): number {
  return quantile(values, badWay(series) > 0 ? 0.3 : 0.7);
}

/** So far from a level it is noticed. */
function farFrom(level: number, series: Series, values: readonly number[]): number {
  return Math.max(
    5 * noiseOf(values),
    leastOf(series),
    profileOf(series).leastShare * Math.abs(level),
    LEAST_OF_LIMIT * (series.limit?.values.at(-1) ?? 0),
  );
}

/** What goes with the load of the hour, or counts what happens now and then, has no level for hours. */
const WITHOUT_LEVEL: ReadonlySet<Measure> = new Set<Measure>([
  ...(['requests', 'activity', 'other', 'queries', 'restarts', 'oom-kills', 'certificate'] as const),
]);
/** Fewer samples of a past say nothing. */
const FEWEST_PAST = 12;
/** What went on for a larger share of what is known is usual. */
const MOST_OF_PAST = 0.4;
/** At this time of day, on other days. */
const SAME_TIME = 90 * MINUTE;
const DAY = 24 * 60 * MINUTE;

/**
 * The anomalies of a series in a window, of which the first may have begun before it: a window that begins inside a trouble is
 * compared with what was before that, at any hour and at this one, where the past was read.
 */
function anomaliesWithin(series: Series, view: View, window: Window): Anomaly[] {
  const points = view.points(series, window);
  const begun =
    points.length < 10
      ? null
      : begunBefore(series, points, view.points(series, { from: 0, to: window.from }));
  const found =
    begun === null
      ? anomaliesIn(series, points)
      : anomaliesIn(series, points, begun.usual).map((one) =>
          one.onset === points[0]?.at ? { ...one, onset: begun.at } : one,
        );
  return found.map(datedAtFoot);
}

/** What fills up to its limit began where its climb did, long before that was far from what is usual. */
function datedAtFoot(one: Anomaly): Anomaly {
  const foot = isFilled(one.series, one.worst) ? climbOf(one.series)?.foot : undefined;
  return foot === undefined || foot.at >= one.onset
    ? one
    : { ...one, onset: foot.at, before: Math.min(foot.value, one.before) };
}

/** Since when a series is far from what was usual, if that is before these points or soon after the first of them. */
function begunBefore(
  series: Series,
  points: readonly Point[],
  past: readonly Point[],
): { at: number; usual: number } | null {
  const [newest, oldest] = [points.at(-1), past[0]];
  const sparse = thinned(past);
  if (newest === undefined || oldest === undefined || sparse.length < FEWEST_PAST) return null;
  if (WITHOUT_LEVEL.has(series.signal.measure)) return null;
  const up = badWay(series);
  const values = points.map(({ value }) => value);
  const level = betterPart(series, values);
  const center = median(sparse.map(({ value }) => value));
  const far = farFrom(center, series, values);
  const isBad = (value: number) => up * (value - center) >= far;
  if (!isBad(level)) return null;
  let calm = past.length;
  while (calm > 0 && (isBad(past[calm - 1]?.value ?? center) || isBad(past[calm - 2]?.value ?? center)))
    calm--;
  const at = (past[calm] ?? points[0] ?? newest).at;
  if (newest.at - at > MOST_OF_PAST * (newest.at - oldest.at)) return null;
  const before = thinned(past.slice(0, calm));
  const sameTime = before.filter((one) => {
    const days = Math.round((newest.at - one.at) / DAY);
    return days >= 1 && Math.abs(newest.at - one.at - days * DAY) <= SAME_TIME;
  });
  const isUnusual = [before, sameTime].every((some) => {
    const known = some.map(({ value }) => value);
    // What was as bad in one of ten samples comes again and again.
    const most = quantile(known, up > 0 ? 0.9 : 0.1);
    return known.length === 0 || up * (level - most) >= farFrom(most, series, values) / 2;
  });
  return isUnusual ? { at, usual: median(before.map(({ value }) => value)) } : null;
}

const thinned = (points: readonly Point[]) =>
  evenly(points.map(({ at }) => at)).flatMap((i) => points[i] ?? []);

/** Measures whose smallest relevant change is the same in every system: one restart is one restart. */
const COUNTED: ReadonlySet<Measure> = new Set(['restarts', 'oom-kills', 'up', 'waiting', 'queue']);

/** The smallest change that matters, in the unit of the series; 0 if only noise and level decide. */
export function leastOf(series: Series): number {
  const { measure, unit } = series.signal;
  const comparable = unit === '1' || COUNTED.has(measure);
  return comparable ? profileOf(series).least : 0;
}

/** The anomaly that a trigger most likely refers to: ongoing at that time, or over for at most a quarter of an hour. */
export function anomalyAt(anomalies: readonly Anomaly[], trigger: number): Anomaly | null {
  const recent = anomalies.filter(
    ({ onset, end }) => onset <= trigger + 2 * MINUTE && (end ?? trigger) >= trigger - 15 * MINUTE,
  );
  return recent.at(-1) ?? null;
}

function noiseOf(values: readonly number[]): number {
  const steps = values.slice(1).map((value, i) => Math.abs(value - (values[i] ?? value)));
  return (1.4826 * median(steps)) / Math.SQRT2;
}

/** First and last index of every stretch of bad samples, bridging short gaps and dropping lone samples. */
function stretches(
  points: readonly Point[],
  excess: readonly number[],
  far: number,
  run: number,
): [number, number][] {
  const found: [number, number][] = [];
  let count = 0;
  for (let i = 0; i < points.length; i++) {
    // A series that does not move departs from nothing, however little would be enough.
    count = (excess[i] ?? 0) > 0 && (excess[i] ?? 0) >= far ? count + 1 : 0;
    // An alert may come with the first bad sample: the newest suffices alone if it is far out.
    const glaring = i === points.length - 1 && (excess[i] ?? 0) >= GLARING * far;
    if (count < (glaring ? 1 : run)) continue;
    const first = i - count + 1;
    const last = found.at(-1);
    if (last && (points[first]?.at ?? 0) - (points[last[1]]?.at ?? 0) <= BRIDGE) last[1] = i;
    else found.push([first, i]);
  }
  return found;
}

/** One look at the whole system. */
export interface Survey {
  window: Window;
  /** Milliseconds: when the issue was triggered. */
  trigger: number;
  nodes: ReadonlyMap<string, ServiceNode>;
  anomalies: ReadonlyMap<string, readonly Anomaly[]>;
  changes: readonly Change[];
}

/** Surveys every series of every service, from 90 minutes before the trigger on. */
export function survey(view: View): Survey {
  const window = { from: view.trigger - 90 * MINUTE, to: view.window.to };
  const nodes = new Map(view.services().map((node) => [node.name, node]));
  const anomalies = new Map<string, Anomaly[]>();
  for (const name of nodes.keys()) {
    anomalies.set(
      name,
      seriesAbout(view, name).flatMap((series) => anomaliesWithin(series, view, window)),
    );
  }
  return { window, trigger: view.trigger, nodes, anomalies, changes: view.changes(window) };
}

/**
 * The series of a service, and those of the calls to it if it does not measure its requests itself: a database, an
 * external address.
 */
export function seriesAbout(view: View, service: string): readonly Series[] {
  const own = view.series(service);
  if (own.some((series) => profileOf(series).role === 'symptom')) return own;
  const calls = view.snapshot.series.filter(
    ({ edge, signal }) =>
      edge?.callee === service && edge.side === 'caller' && ['errors', 'latency'].includes(signal.measure),
  );
  return [...own, ...calls];
}

/** A service whose series ended together while those of others continued. */
interface Disappearance {
  service: string;
  /** The series that represents it: its requests if measured. */
  series: Series;
  /** The time of its first missing sample, in milliseconds since the epoch. */
  onset: number;
  /** The last value. */
  before: number;
}

/** Prometheus bridges missed scrapes for five minutes, so gaps are longer than they look. */
const LEAST_GAP = 2 * MINUTE;
/** A service sampled regularly for this long was meant to stay, unlike a batch job. */
const STEADY = 30 * MINUTE;
const STEADY_SHARE = 0.9;

/** Services that stopped reporting, relative to the newest sample of any service, not the clock. */
export function disappearancesIn(series: readonly Series[], trigger: number): Disappearance[] {
  const whole = series.filter(({ edge, signal }) => edge === null && !signal.shared);
  const newest = Math.max(...whole.map((one) => endOf(one, trigger)));
  return [...Map.groupBy(whole, ({ service }) => service)].flatMap(([service, all]) => {
    const ended = Math.max(...all.map((one) => endOf(one, trigger)));
    const shown = all.find(({ signal }) => signal.measure === 'requests') ?? all[0];
    if (shown === undefined || newest - ended < LEAST_GAP) return [];
    // Rates end before gauges do, so each series is compared with its own end.
    const end = endOf(shown, trigger);
    if (!wasSteady(shown, end)) return [];
    const { step, before } = lastOf(shown, end);
    return [{ service, series: shown, onset: end + step, before }];
  });
}

function endOf({ points: { times } }: Series, trigger: number): number {
  return times.findLast((at) => at <= trigger) ?? Number.NEGATIVE_INFINITY;
}

function wasSteady({ points: { times } }: Series, ended: number): boolean {
  const near = times.filter((at) => at > ended - STEADY && at <= ended);
  const step = Math.min(...near.subarray(1).map((at, i) => at - (near[i] ?? at)));
  return near.length >= (STEADY_SHARE * STEADY) / Math.max(step, MINUTE) && near.length >= 10;
}

function lastOf({ points: { times, values } }: Series, ended: number): { step: number; before: number } {
  const last = times.findLastIndex((at) => at <= ended);
  return {
    step: (times[last] ?? 0) - (times[last - 1] ?? 0),
    before: values[last] ?? 0,
  };
}

/** One instance that behaves unlike all others. */
export interface OddInstance {
  instance: string;
  /** Its pod, if its labels name one. */
  pod: string | null;
  anomaly: Anomaly;
  others: number;
}

/** The least excess of its failures over the others', as a share of requests. */
const LEAST_SHARE = 0.05;
/** The least ratio to the others. */
const FACTOR = 2;
/** The others may deviate this much from their own past. */
const STEADY_INSTANCE = 1.5;

/**
 * The one instance of a service that fails or is slow while the others are as before; `null` if there are several, or
 * none.
 *
 * @param during.onset when the service's problem began
 */
export function oddInstanceIn(
  series: readonly Series[],
  during: { onset: number; to: number },
): OddInstance | null {
  const groups = Map.groupBy(series, ({ signal }) => signal.id);
  for (const group of groups.values()) {
    const found = oddOneOf(group, during);
    if (found !== null) return found;
  }
  return null;
}

function oddOneOf(
  group: readonly Series[],
  { onset, to }: { onset: number; to: number },
): OddInstance | null {
  const compared = group
    .map((one) => ({
      one,
      before: levelIn(one, onset - 40 * MINUTE, onset - 2 * MINUTE),
      now: levelIn(one, onset, to),
    }))
    .filter(({ now }) => now !== null)
    .map(({ one, before, now }) => ({ one, before: before ?? 0, now: now ?? 0 }))
    .sort((a, b) => b.now - a.now);
  const [worst, ...others] = compared;
  if (worst === undefined || others.length === 0) return null;
  const least = worst.one.signal.measure === 'errors' ? LEAST_SHARE : 0;
  const rest = median(others.map(({ now }) => now));
  const next = others[0]?.now ?? 0;
  const isOdd = worst.now >= FACTOR * Math.max(next, rest) && worst.now - next > least;
  const areSteady = others.every(({ before, now }) => now <= STEADY_INSTANCE * before + least);
  const moved = worst.now >= FACTOR * worst.before + least;
  if (!isOdd || !areSteady || !moved) return null;
  const { labels, instance, service } = worst.one;
  return {
    instance: instance ?? service,
    pod: labels.pod ?? null,
    others: others.length,
    anomaly: {
      series: worst.one,
      profile: profileOf(worst.one),
      onset,
      end: null,
      before: worst.before,
      worst: worst.now,
      worstAt: to,
    },
  };
}

function levelIn(series: Series, from: number, to: number): number | null {
  const values = pointsIn(series, { from, to }).map(({ value }) => value);
  return values.length === 0 ? null : mean(values);
}

import {
  ALERT_RULE_SIGNAL,
  type Edge,
  type Measure,
  type Series,
  type Signal,
} from '../../telemetry/model.ts';
import type { Snapshot } from '../../telemetry/snapshot.ts';
import { disappearancesIn } from '../disappearance.ts';
import { type CallGraph, callGraph } from './call-graph.ts';
import { exhaustionOf } from './exhausted.ts';
import { type Deviation, deviationOf } from './series-deviation.ts';
import { trafficOf } from './traffic.ts';
import type { Aspect } from './types.ts';

/** What moved at a service, in one respect, as its own series tell. */
export interface Moved {
  service: string;
  aspect: Aspect;
  /** What stands for the aspect where several series measure it. */
  deviation: Deviation;
  /** The share of it that no callee accounts for, 0 to 1. */
  own: number;
}

/** From where on a series counts as unusual. */
const UNUSUAL = 4;
/** Failures are counted, one by one, so fewer of them say something. */
const UNUSUAL_ERRORS = 2.5;
/** The latency of the calls that a service makes is that of others. */
const OUTGOING = /\b(client|outbound|outgoing|upstream|egress)\b/;
/** A callee that accounts for this share of an increase is where it comes from. */
const EXPLAINED = 0.3;

const ASPECTS: Readonly<Partial<Record<Measure, Aspect>>> = {
  latency: 'latency',
  errors: 'errors',
  success: 'errors',
  cpu: 'saturation',
  throttling: 'saturation',
  memory: 'saturation',
  disk: 'other',
  connections: 'saturation',
  waiting: 'other',
  queue: 'other',
  lag: 'other',
  restarts: 'other',
  'oom-kills': 'other',
  up: 'other',
  certificate: 'other',
};

/**
 * Everything that moved, at all services.
 *
 * @param subject what the alert names: a machine counts only there, since all that run on it would share its blame
 */
export function movements(snapshot: Snapshot, subject: string | null): Moved[] {
  const graph = callGraph(snapshot.edges);
  const traffic = trafficOf(snapshot.series, snapshot.trigger);
  const candidates = snapshot.series
    .map((series) => ({ series, aspect: aspectOf(series, subject) }))
    .filter((one): one is { series: Series; aspect: Aspect } => one.aspect !== null)
    // The latency of a service that nobody calls repeats a default, or an old value.
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
    const perSecond = traffic.perSecond(series.edge?.callee ?? series.service);
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
  return [
    ...all.map((one) => ({ ...one, own: ownShare(one, all, calls, graph) })),
    ...slowCalls(calls, reporting),
  ];
}

/** What a service that stopped reporting is worth as a deviation: as much as a series that left its past by far. */
const GONE = 20;

function disappearances({ series, trigger }: Snapshot): Moved[] {
  return disappearancesIn(series, trigger).map(({ service, series: shown, onset, before }) => ({
    service,
    aspect: 'other',
    deviation: { series: shown, deviation: GONE, now: 0, usually: before, onset },
    own: 1,
  }));
}

/** Where a series stands, or how far it left its past: whichever is worse. Certificates only run out. */
function stateOf(series: Series, trigger: number, perSecond: number | null): Deviation | null {
  const exhausted = exhaustionOf(series, trigger);
  if (series.signal.measure === 'certificate') return exhausted;
  const moved = deviationOf(series, trigger, perSecond);
  return exhausted !== null && exhausted.deviation > (moved?.deviation ?? 0) ? exhausted : moved;
}

interface Call {
  edge: Edge;
  deviation: Deviation;
  unusual: boolean;
}

/** Whether it is a share of requests, in which single failures are counted. */
export function isShare({ signal }: Series): boolean {
  return signal.measure === 'errors' || signal.measure === 'success';
}

/** The caller's part where the one that is called reports nothing, and so cannot clear itself. */
const SILENT_CALLEE = 0.5;

/** A slow call is held against both of its ends; the end more of whose calls are slow has the larger share. */
function slowCalls(calls: readonly Call[], reporting: ReadonlySet<string>): Moved[] {
  const share = (service: string) => {
    const touching = calls.filter(({ edge }) => edge.caller === service || edge.callee === service);
    return touching.filter(({ unusual }) => unusual).length / Math.max(1, touching.length);
  };
  return calls
    .filter(({ unusual }) => unusual)
    .flatMap(({ edge, deviation }) => [
      { service: edge.callee, aspect: 'calls' as const, deviation, own: share(edge.callee) },
      {
        service: edge.caller,
        aspect: 'calls' as const,
        deviation,
        own: (reporting.has(edge.callee) ? 0.9 : SILENT_CALLEE) * share(edge.caller),
      },
    ]);
}

function aspectOf({ signal, edge, service }: Series, subject: string | null): Aspect | null {
  if (signal.shared && service !== subject) return null;
  const aspect =
    ASPECTS[signal.measure] ?? (signal.measure === 'other' && isBadByItself(signal) ? 'other' : null);
  if (aspect !== 'latency' && aspect !== 'errors') return aspect;
  if (edge !== null) return edge.side === 'caller' ? 'calls' : null;
  return aspect === 'latency' && OUTGOING.test(signal.label) ? null : aspect;
}

/** An unknown metric says nothing by moving, unless an alert says which way is bad. */
function isBadByItself({ id, bad }: Signal): boolean {
  return bad === 'high' || (bad === 'low' && id === ALERT_RULE_SIGNAL);
}

/**
 * One series for several that measure the same, such as the quantiles of a latency: the mean where there is one, since it
 * is what requests feel together, or else the lowest quantile, so that a single slow request does not decide.
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

/** A callee that is gone accounts for this share of whatever its callers show. */
const GONE_ACCOUNTS = 0.8;
/** One that is so many times slower makes its callers time out, though it does not fail itself. */
const TIMES_OUT = 3;
const TIMEOUT_ACCOUNTS = 0.5;

/** The share of an increase at a caller that what moved at a callee accounts for. */
function accountOf(callee: Moved, caller: Moved, increase: number): number {
  const { now, usually, series } = callee.deviation;
  if (callee.aspect === caller.aspect) return Math.abs(now - usually) / increase;
  const isGone = now <= 0 && usually > 0 && (series.signal.measure === 'up' || series.signal.bad === 'low');
  if (isGone) return GONE_ACCOUNTS;
  return callee.aspect === 'latency' && now >= TIMES_OUT * usually ? TIMEOUT_ACCOUNTS : 0;
}

/** What is left of an increase when what callees add is taken away. */
function ownShare(one: Moved, all: readonly Moved[], calls: readonly Call[], graph: CallGraph): number {
  if (one.aspect !== 'latency' && one.aspect !== 'errors') return 1;
  const increase = Math.abs(one.deviation.now - one.deviation.usually);
  if (increase === 0) return 1;
  const below = new Set(graph.callees(one.service));
  const accounted = all
    .filter(({ service }) => below.has(service))
    .map((callee) => accountOf(callee, one, increase));
  const waited = calls
    .filter(({ edge, unusual }) => unusual && edge.caller === one.service)
    .filter(({ deviation: { series } }) => isShare(series) === isShare(one.deviation.series))
    .map(({ deviation }) => Math.abs(deviation.now - deviation.usually) / increase);
  const most = Math.min(1, Math.max(0, ...accounted, ...waited));
  const own = most >= EXPLAINED ? Math.max(0.1, 1 - most) : 1 - most / 2;
  if (!isShare(one.deviation.series)) return own;
  // Failures thin out on their way up, as other requests succeed: where most of them fail is near to the cause.
  const largest = all
    .filter(({ deviation }) => isShare(deviation.series))
    .reduce((max, { deviation }) => Math.max(max, Math.abs(deviation.now - deviation.usually)), 0);
  return (own * increase) / largest;
}

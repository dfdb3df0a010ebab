import type { Edge, Measure, Series } from '../../telemetry/model.ts';
import type { Snapshot } from '../../telemetry/snapshot.ts';
import { type CallGraph, callGraph } from './call-graph.ts';
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
  up: 'other',
  certificate: 'other',
};

/** Everything that moved, at all services. */
export function movements(snapshot: Snapshot): Moved[] {
  const graph = callGraph(snapshot.edges);
  const traffic = trafficOf(snapshot.series, snapshot.trigger);
  const candidates = snapshot.series
    .map((series) => ({ series, aspect: aspectOf(series) }))
    .filter((one): one is { series: Series; aspect: Aspect } => one.aspect !== null)
    // The latency of a service that nobody calls repeats a default, or an old value.
    .filter(({ series, aspect }) => aspect !== 'latency' || traffic.perSecond(series.service) !== 0);
  const groups = Map.groupBy(
    candidates,
    ({ series, aspect }) =>
      `${series.service}\n${aspect}\n${series.edge?.callee ?? ''}\n${series.instance ?? ''}\n${aspect === 'latency' || aspect === 'calls' ? '' : series.signal.id}`,
  );
  const moved: Moved[] = [];
  const calls: Call[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { aspect, series } = first;
    const perSecond = traffic.perSecond(series.edge?.callee ?? series.service);
    const deviation = typical(group.map((one) => deviationOf(one.series, snapshot.trigger, perSecond)));
    if (deviation === null) continue;
    const unusual = deviation.deviation >= (isShare(series) ? UNUSUAL_ERRORS : UNUSUAL);
    if (series.edge !== null) calls.push({ edge: series.edge, deviation, unusual });
    else if (unusual) moved.push({ service: series.service, aspect, deviation, own: 1 });
  }
  return [...moved.map((one) => ({ ...one, own: ownShare(one, moved, graph) })), ...slowCalls(calls)];
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

/** A slow call is held against both of its ends; the end more of whose calls are slow has the larger share. */
function slowCalls(calls: readonly Call[]): Moved[] {
  const share = (service: string) => {
    const touching = calls.filter(({ edge }) => edge.caller === service || edge.callee === service);
    return touching.filter(({ unusual }) => unusual).length / Math.max(1, touching.length);
  };
  return calls
    .filter(({ unusual }) => unusual)
    .flatMap(({ edge, deviation }) => [
      { service: edge.callee, aspect: 'calls' as const, deviation, own: share(edge.callee) },
      { service: edge.caller, aspect: 'calls' as const, deviation, own: 0.9 * share(edge.caller) },
    ]);
}

function aspectOf({ signal, edge }: Series): Aspect | null {
  if (signal.shared) return null;
  const aspect =
    ASPECTS[signal.measure] ?? (signal.measure === 'other' && signal.bad === 'high' ? 'other' : null);
  if (aspect !== 'latency' && aspect !== 'errors') return aspect;
  if (edge !== null) return edge.side === 'caller' && aspect === 'latency' ? 'calls' : null;
  return aspect === 'latency' && OUTGOING.test(signal.label) ? null : aspect;
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

/** What is left of an increase when what callees add is taken away. */
function ownShare(one: Moved, all: readonly Moved[], graph: CallGraph): number {
  if (one.aspect !== 'latency' && one.aspect !== 'errors') return 1;
  const increase = Math.abs(one.deviation.now - one.deviation.usually);
  if (increase === 0) return 1;
  const below = new Set(graph.callees(one.service));
  const accounted = all
    .filter(({ service, aspect }) => aspect === one.aspect && below.has(service))
    .map(({ deviation }) => Math.abs(deviation.now - deviation.usually) / increase);
  const most = Math.max(0, ...accounted);
  const own = most >= EXPLAINED ? Math.max(0.1, 1 - most) : 1 - most / 2;
  if (!isShare(one.deviation.series)) return own;
  // Failures thin out on their way up, as other requests succeed: where most of them fail is near to the cause.
  const largest = all
    .filter(({ deviation }) => isShare(deviation.series))
    .reduce((max, { deviation }) => Math.max(max, Math.abs(deviation.now - deviation.usually)), 0);
  return (own * increase) / largest;
}

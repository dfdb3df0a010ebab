import type { Measure, Series } from '../../telemetry/model.ts';
import type { Snapshot } from '../../telemetry/snapshot.ts';
import { type CallGraph, callGraph } from './call-graph.ts';
import { type Deviation, deviationOf } from './series-deviation.ts';
import { lowerBound, mean } from './statistics.ts';

/** What moved at a service, in one respect, as its own series tell. */
export interface Moved {
  service: string;
  aspect: Aspect;
  /** What stands for the aspect where several series measure it. */
  deviation: Deviation;
  /** The share of it that no callee accounts for, 0 to 1. */
  own: number;
}

/** `latency` and `errors` are what callers feel; `saturation` explains, but does not hurt by itself. */
export type Aspect = 'latency' | 'errors' | 'calls' | 'saturation' | 'other';

/** From where on a series counts as unusual. */
const UNUSUAL = 4;
/** Latency and errors of the calls that a service makes say nothing of the service. */
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
  disk: 'saturation',
  connections: 'saturation',
  waiting: 'saturation',
  queue: 'saturation',
  lag: 'saturation',
  restarts: 'other',
  up: 'other',
  certificate: 'other',
};

/** Everything that moved, at all services. */
export function movements(snapshot: Snapshot): Moved[] {
  const graph = callGraph(snapshot.edges);
  const idle = idleServices(snapshot);
  const candidates = snapshot.series
    .map((series) => ({ series, aspect: aspectOf(series) }))
    .filter((one): one is { series: Series; aspect: Aspect } => one.aspect !== null)
    .filter(({ series, aspect }) => aspect !== 'latency' || !idle.has(series.service));
  const groups = Map.groupBy(
    candidates,
    ({ series, aspect }) =>
      `${series.service}\n${aspect}\n${series.edge?.callee ?? ''}\n${series.instance ?? ''}\n${aspect === 'latency' || aspect === 'calls' ? '' : series.signal.id}`,
  );
  const moved: Moved[] = [];
  for (const group of groups.values()) {
    const aspect = group[0]?.aspect ?? 'other';
    const deviation = typical(group.map(({ series }) => deviationOf(series, snapshot.trigger)));
    if (deviation === null || deviation.deviation < UNUSUAL) continue;
    moved.push({ service: deviation.series.service, aspect, deviation, own: 1 });
  }
  return moved.map((one) => ({ ...one, own: ownShare(one, moved, graph) }));
}

function aspectOf({ signal, edge }: Series): Aspect | null {
  if (signal.shared) return null;
  const aspect =
    ASPECTS[signal.measure] ?? (signal.measure === 'other' && signal.bad === 'high' ? 'other' : null);
  if (aspect !== 'latency' && aspect !== 'errors') return aspect;
  if (edge !== null) return edge.side === 'caller' && aspect === 'latency' ? 'calls' : null;
  return OUTGOING.test(signal.label) ? null : aspect;
}

/** Services that nobody calls now: their latency repeats a default, or an old value. */
function idleServices({ series, trigger }: Snapshot): Set<string> {
  const rates = new Map<string, number>();
  for (const { signal, service, edge, points } of series) {
    if (signal.measure !== 'requests' || edge !== null) continue;
    const end = lowerBound(points.times, trigger + 1);
    const rate = end === 0 ? 0 : mean(points.values.subarray(Math.max(0, end - 3), end));
    rates.set(service, Math.max(rates.get(service) ?? 0, rate));
  }
  return new Set([...rates].filter(([, rate]) => rate === 0).map(([service]) => service));
}

/**
 * One series for several that measure the same, such as the quantiles of a latency: the mean where there is one, since it
 * is what requests feel together, or else the one in the middle, so that a single slow request does not decide.
 */
function typical(deviations: readonly (Deviation | null)[]): Deviation | null {
  const known = deviations.filter((one) => one !== null).sort((a, b) => a.deviation - b.deviation);
  const average = known.find(({ series }) => series.signal.quantile === 'mean');
  return average ?? known[Math.floor((known.length - 1) / 2)] ?? null;
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
  return most >= EXPLAINED ? Math.max(0.1, 1 - most) : 1 - most / 2;
}

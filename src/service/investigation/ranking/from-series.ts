import { ALERT_RULE_SIGNAL, type Measure, type Series, type Signal } from '../../telemetry/model.ts';
import type { Snapshot } from '../../telemetry/view.ts';
import { disappearancesIn } from '../disappearance.ts';
import { callGraph } from './call-graph.ts';
import { EXHAUSTED, exhaustionOf } from './exhausted.ts';
import { type Deviation, deviationOf } from './series-deviation.ts';
import { type Call, isShare, type Moved, shareBlame } from './share-blame.ts';
import { trafficOf } from './traffic.ts';
import type { Aspect } from './types.ts';

/** The deviation at which a series is unusual. */
const UNUSUAL = 4;
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

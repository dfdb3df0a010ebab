import {
  ALERT_RULE_SIGNAL,
  type AlertRule,
  type Change,
  type Edge,
  known,
  type LogLine,
  type Measure,
  type Series,
  type Service,
  type Signal,
  type Window,
} from '../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../src/service/telemetry/source.ts';

/** A metric of a service that a test makes up: what it is worth at each moment, `null` where there is no sample. */
export interface MadeMetric {
  service: string;
  measure: Measure;
  unit: string;
  at: (time: number) => number | null;
  limit?: number;
  bad?: Signal['bad'];
  /** Of one instance, returned only where instances are asked for. */
  instance?: string;
  edge?: Edge & { side: 'caller' | 'callee' };
  label?: string;
  labels?: Series['labels'];
  /** Of a machine. */
  shared?: boolean;
  /** By which `evaluate` gives it again. */
  query?: string;
}

export interface MadeSystem {
  services: readonly (Pick<Service, 'name'> & Partial<Service>)[];
  metrics: readonly MadeMetric[];
  edges?: readonly Edge[];
  changes?: readonly Change[];
  logs?: readonly LogLine[];
  /** The rule of every alert, and the series of its expression. */
  rule?: {
    rule: AlertRule;
    series: readonly { labels: Record<string, string>; service: string; at: (time: number) => number }[];
  };
}

const HOUR = 3_600_000;

/** A source with a past of a week, as a Prometheus has it, of a system that a test makes up. */
export function madeSource({
  services,
  metrics,
  edges = [],
  changes = [],
  logs = [],
  rule,
}: MadeSystem): TelemetrySource {
  const within =
    ({ from, to }: Window) =>
    ({ at }: { at: number }) =>
      at >= from && at < to;
  return {
    name: 'made',
    pastMs: 7 * 24 * HOUR,
    services: async () =>
      known(
        services.map((service) => ({ kind: 'service' as const, aliases: [], workload: null, ...service })),
      ),
    edges: async () => known([...edges]),
    signals: async () =>
      known([...new Map(metrics.map((one) => [signalOf(one).id, signalOf(one)])).values()]),
    series: async ({ signals, services: wanted, stepMs, byInstance = false }, window) =>
      known(
        metrics
          .filter((one) => signals.includes(signalOf(one).id) && (wanted?.includes(one.service) ?? true))
          .filter(({ instance }) => (instance !== undefined) === byInstance)
          .map((one) => seriesOf(one, window, stepMs)),
      ),
    logs: async (service, window) =>
      known(logs.filter((line) => service === null || line.service === service).filter(within(window))),
    spans: async () => known([]),
    changes: async (window) => known(changes.filter(within(window))),
    ...(rule !== undefined && { alertRule: async () => known(rule.rule) }),
    ...((rule !== undefined || metrics.some(({ query }) => query !== undefined)) && {
      evaluate: async (expression: string, window: Window) =>
        known([
          ...metrics.filter(({ query }) => query === expression).map((one) => seriesOf(one, window, 30_000)),
          ...(rule?.series ?? []).map(({ labels, service, at }): Series => {
            const series = seriesOf({ service, measure: 'other', unit: '', at }, window, 60_000);
            const signal = {
              ...series.signal,
              id: ALERT_RULE_SIGNAL,
              name: expression,
              label: 'what the alert measures',
            };
            return { ...series, labels, signal, query: expression };
          }),
        ]),
    }),
    check: async () => ({ name: 'made', ok: true, summary: 'Made up by a test.', details: [] }),
  };
}

function signalOf({ measure, unit, bad, label, edge, shared }: MadeMetric): Signal {
  const name = `${edge ? 'outgoing_' : ''}${measure}`;
  const low: readonly Measure[] = ['requests', 'success', 'up', 'certificate', 'cache-hits'];
  return {
    id: `${name} ${unit}${shared ? ' of a machine' : ''}`,
    name,
    label: label ?? measure,
    measure,
    unit,
    bad: bad ?? (low.includes(measure) ? 'low' : 'high'),
    metricType: 'gauge',
    ...(measure === 'latency' && { quantile: 0.95 }),
    ...(shared && { shared }),
  };
}

function seriesOf(metric: MadeMetric, { from, to }: Window, stepMs: number): Series {
  const points: { at: number; value: number }[] = [];
  for (let at = Math.ceil(from / stepMs) * stepMs; at < to; at += stepMs) {
    const value = metric.at(at);
    if (value !== null) points.push({ at, value });
  }
  const times = Float64Array.from(points, ({ at }) => at);
  const { service, instance, edge, limit } = metric;
  return {
    signal: signalOf(metric),
    service,
    instance: instance ?? null,
    edge: edge ?? null,
    labels: metric.labels ?? (instance === undefined ? {} : { pod: instance }),
    points: { times, values: Float64Array.from(points, ({ value }) => value) },
    limit: limit === undefined ? null : { times, values: new Float64Array(times.length).fill(limit) },
    query: metric.query ?? null,
    providerUrl: null,
    provider: 'made',
  };
}

import type { Series, Span } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import type { Anomaly } from './anomalies.ts';
import { profileOf } from './profiles.ts';
import type { Reason, Suspect } from './ranking/types.ts';

const MINUTE = 60_000;

/** The strongest evidence against a suspect, as an anomaly of a series; `null` if there is none to show. */
export function anomalyOf(suspect: Suspect, view: View): Anomaly | null {
  for (const reason of suspect.reasons) {
    const series = seriesBehind(reason, view);
    if (series === undefined) continue;
    return {
      series,
      profile: profileOf(series),
      onset: reason.onset,
      end: null,
      before: reason.usually,
      worst: reason.now,
      worstAt: view.trigger,
    };
  }
  return null;
}

function seriesBehind(reason: Reason, view: View): Series | undefined {
  if (reason.what !== 'series') return spanSeries(reason, view.snapshot.spans);
  return view.snapshot.series.find(
    ({ service, signal, instance, edge }) =>
      signal.name === reason.metric &&
      instance === reason.instance &&
      // A slow call counts against both of its ends.
      (edge === null
        ? reason.callee === null && service === reason.service
        : edge.callee === reason.callee && [edge.caller, edge.callee].includes(reason.service)),
  );
}

/** An operation's duration per minute according to its spans, or how often it was cut short if that is what moved. */
function spanSeries(reason: Exclude<Reason, { what: 'series' }>, spans: readonly Span[]): Series | undefined {
  const own = spans.filter(
    ({ service, operation }) => service === reason.service && operation === reason.operation,
  );
  if (own.length === 0) return undefined;
  const minutes = [...Map.groupBy(own, ({ at }) => Math.floor(at / MINUTE))].sort(([a], [b]) => a - b);
  const isShare = reason.what === 'cut-short';
  return {
    signal: {
      id: `spans of ${reason.operation}`,
      name: isShare ? `${reason.operation} count` : `${reason.operation} duration`,
      label: isShare ? `share of \`${reason.operation}\` cut short` : `time in \`${reason.operation}\``,
      measure: isShare ? 'errors' : 'latency',
      unit: isShare ? '1' : 'ms',
      bad: 'high',
      metricType: 'gauge',
      quantile: 'mean',
    },
    service: reason.service,
    instance: null,
    edge: null,
    labels: {},
    points: {
      times: Float64Array.from(minutes, ([minute]) => (minute + 1) * MINUTE),
      values: Float64Array.from(minutes, ([, some]) =>
        isShare ? some.length : some.reduce((sum, { durationMs }) => sum + durationMs, 0) / some.length,
      ),
    },
    limit: null,
    query: null,
    providerUrl: null,
    provider: 'traces',
  };
}

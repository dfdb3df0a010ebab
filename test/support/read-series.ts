import type { Series } from '../../src/service/telemetry/model.ts';

const MINUTE = 60_000;

/** A series as an expression gives it, with these values, a minute apart, the last of them at `to`. */
export function readSeries(labels: Record<string, string>, to: number, ...values: number[]): Series {
  return {
    service: '',
    instance: null,
    edge: null,
    labels,
    signal: {
      id: 'x',
      name: 'x',
      label: 'x',
      measure: 'other',
      metricType: 'gauge',
      bad: 'high',
      unit: '',
    },
    points: {
      times: Float64Array.from(values, (_, i) => to - (values.length - 1 - i) * MINUTE),
      values: Float64Array.from(values),
    },
    limit: null,
    query: null,
    providerUrl: null,
    provider: 'prometheus',
  };
}

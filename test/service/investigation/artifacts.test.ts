import { expect, it } from 'vitest';
import { EvidenceStore } from '../../../src/service/investigation/words/artifacts.ts';
import type { Series } from '../../../src/service/telemetry/model.ts';
import { viewOf } from '../../../src/service/telemetry/view.ts';

const WINDOW = { from: 0, to: 10_000 };
const SERIES: Series = {
  signal: {
    id: 'up',
    name: 'up',
    label: 'instances up',
    measure: 'up',
    unit: '',
    bad: 'low',
    metricType: 'gauge',
  },
  service: 'cart',
  instance: null,
  edge: null,
  labels: {},
  points: { times: Float64Array.of(1_000, 2_000), values: Float64Array.of(1, 0) },
  limit: null,
  query: 'sum(up{job="cart"})',
  providerUrl: null,
  provider: 'prometheus',
};

it('a metric of a server without an address for people keeps its question, as no link', () => {
  const nothing = { services: [], edges: [], instances: [], logs: [], spans: [], changes: [], gaps: [] };
  const view = viewOf({ ...nothing, window: WINDOW, trigger: 10_000, series: [SERIES], rule: null });
  const store = new EvidenceStore({
    view,
    id: () => 'one',
    environment: 'production',
    provider: 'prometheus',
  });
  store.metric(SERIES, WINDOW);
  expect(store.artifacts.map(({ providerUrl }) => providerUrl)).toEqual([
    '/graph?g0.expr=sum%28up%7Bjob%3D%22cart%22%7D%29',
  ]);
});

import { expect, it } from 'vitest';
import type { Anomaly } from '../../../src/service/investigation/anomalies.ts';
import { profileOf } from '../../../src/service/investigation/anomalies.ts';
import { failingRoute } from '../../../src/service/investigation/routes.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { known, type Series } from '../../../src/service/telemetry/model.ts';
import { madeSource } from '../../support/made-source.ts';

const ONSET = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;

function errors(labels: Record<string, string>, before: number | null, since: number): Series {
  const times = Array.from({ length: 40 }, (_, i) => ONSET + (i - 30) * MINUTE).filter(
    (at) => before !== null || at > ONSET,
  );
  return {
    signal: {
      id: 'errors',
      name: 'http_requests_total',
      label: 'error rate',
      measure: 'errors',
      unit: '1',
      bad: 'high',
      metricType: 'gauge',
    },
    service: 'orders',
    instance: null,
    edge: null,
    labels,
    points: {
      times: Float64Array.from(times),
      values: Float64Array.from(times, (at) => (at > ONSET ? since : (before ?? 0))),
    },
    limit: null,
    query: null,
    providerUrl: null,
    provider: 'made',
  };
}

/** The route that is named where a service's errors are these. */
async function named(series: Series[], measure: 'errors' | 'requests' = 'errors') {
  const source = {
    ...madeSource({ services: [{ name: 'orders' }], metrics: [] }),
    series: async () => known(series),
  };
  const whole = errors({}, 0.01, 0.2);
  const primary = { ...whole, signal: { ...whole.signal, measure } };
  const anomaly: Anomaly = {
    series: primary,
    profile: profileOf(primary),
    onset: ONSET,
    end: null,
    before: 0.01,
    worst: 0.2,
    worstAt: ONSET,
  };
  const found = await failingRoute(anomaly, source, { trigger: ONSET + 10 * MINUTE, budget: UNLIMITED });
  return found && [found.route, found.before, found.now, found.others];
}

it('names the route that fails while others do not, with its method', async () => {
  const series = [
    errors({ method: 'GET', route: '/orders/:id' }, 0.01, 0.012),
    errors({ method: 'POST', route: '/orders' }, 0.01, 0.3),
    errors({ http_route: '/health' }, 0, 0),
  ];
  expect(await named(series)).toEqual(['POST /orders', 0.01, 0.3, 2]);
});

it('takes the method of gRPC for the route, and not the port that is scraped', async () => {
  const series = [
    errors({ endpoint: 'metrics', grpc_method: 'StartSession' }, 0.01, 0.3),
    errors({ endpoint: 'metrics', grpc_method: 'GetSession' }, 0.01, 0.01),
  ];
  expect(await named(series)).toEqual(['StartSession', 0.01, 0.3, 1]);
});

it('shows a name from outside on one line, without the end of code in it', async () => {
  const series = [errors({ route: '/a`\n*b*' }, 0, 0.4), errors({ route: '/b' }, 0, 0)];
  expect(await named(series)).toEqual(["/a' *b*", 0, 0.4, 1]);
});

it('counts a route that had no series before as one without failures', async () => {
  expect(await named([errors({ uri: '/a' }, null, 0.4), errors({ uri: '/b' }, 0, 0)])).toEqual([
    '/a',
    0,
    0.4,
    1,
  ]);
});

it.each<[string, Series[]]>([
  ['several routes fail', [errors({ route: '/a' }, 0, 0.3), errors({ route: '/b' }, 0, 0.2)]],
  ['there is one route', [errors({ route: '/a' }, 0, 0.3)]],
  ['no label tells routes apart', [errors({}, 0, 0.3), errors({ pod: 'orders-1' }, 0, 0)]],
  ['nothing got worse', [errors({ route: '/a' }, 0.3, 0.3), errors({ route: '/b' }, 0, 0)]],
  [
    'a route is no name but a text',
    [errors({ route: '/x'.repeat(60) }, 0, 0.3), errors({ route: '/b' }, 0, 0)],
  ],
])('names none where %s', async (_, series) => {
  expect(await named(series)).toBeNull();
});

it('names none for a measure that is not of requests that fail or are slow', async () => {
  expect(
    await named([errors({ route: '/a' }, 0, 0.3), errors({ route: '/b' }, 0, 0)], 'requests'),
  ).toBeNull();
});

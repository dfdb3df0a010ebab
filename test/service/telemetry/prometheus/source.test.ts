import { expect, it, onTestFinished } from 'vitest';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { createPrometheusSource } from '../../../../src/service/telemetry/prometheus/source.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { Refusal, type Route, scriptedSource } from '../../../support/scripted-source.ts';
import { answerOf } from '../../../support/telemetry.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };

/** A Prometheus with these metrics, whose targets have these labels. */
async function prometheusWith(
  names: readonly string[],
  targets: readonly Record<string, string>[] = [],
  more: Readonly<Record<string, Route>> = {},
) {
  const result = targets.map((metric) => ({ metric, value: [NOON / 1000, '1'] }));
  const { url, calls } = await scriptedSource({
    '/api/v1/label/__name__/values': {
      parameters: ['start', 'end'],
      answer: () => ({ status: 'success', data: names }),
    },
    '/api/v1/query': {
      method: '*',
      parameters: ['query', 'time'],
      answer: () => ({ status: 'success', data: { resultType: 'vector', result } }),
    },
    '/api/v1/query_range': {
      method: '*',
      parameters: ['query', 'start', 'end', 'step'],
      answer: () => ({ status: 'success', data: { resultType: 'matrix', result: [] } }),
    },
    '/api/v1/status/buildinfo': {
      answer: () => ({ status: 'success', data: { version: '3.5.0', revision: '8be3a9560fbd' } }),
    },
    ...more,
  });
  const clock = manualClock(NOON);
  const source = createPrometheusSource({ url }, { clock });
  onTestFinished(() => source.close());
  return { source, queries: () => calls.flatMap(({ parameters: { query } }) => query ?? []) };
}

it('puts no name into a query that could change it, and quotes those with other characters', async () => {
  const hostile = ['up or vector(1) #', 'http.requests_total', 'x"} or up{y="'];
  const { source, queries } = await prometheusWith(['up', 'jobs_pending', ...hostile]);
  await answerOf(source.services(WINDOW, UNLIMITED));
  const outside = queries().map((query) => query.replaceAll(/"(?:[^"\\]|\\.)*"/gu, '""'));
  expect(outside.filter((query) => /vector|http\.|\{y/u.test(query))).toEqual([]);
  expect(queries().join()).toContain('rate({__name__="http.requests_total"}[');
  expect(queries().join()).toContain('jobs_pending');
});

it.each([
  ['build_info', 'count by (service_name, app_kubernetes_io_name, app, application, service, job, namespace'],
  ['target_info', '({__name__=~"target_info"})'],
  ['http_client_requests_total', 'peer_service, peer, target_service, target, upstream'],
  ['ledger_outgoing_calls_total', 'sum by (service_name'],
])('reads %s, as it is named by hand', async (name, part) => {
  const { source, queries } = await prometheusWith(['up', name]);
  await answerOf(source.changes(WINDOW, UNLIMITED));
  await answerOf(source.services(WINDOW, UNLIMITED));
  expect(queries().filter((query) => query.includes(name) && query.includes(part))).not.toEqual([]);
});

it('quotes the names of jobs', async () => {
  const job = 'pods") or vector(1) # \\ é';
  const targets = ['ledger', 'press'].map((name) => ({ job, pod: `${name}-7d9f8b6c5d-x2x4z` }));
  const { source, queries } = await prometheusWith(['up', 'jobs_pending'], targets);
  await answerOf(source.services(WINDOW, UNLIMITED));
  const [replacing = ''] = queries().filter((query) => query.includes('label_join'));
  const strings = [...replacing.matchAll(/"(?:[^"\\]|\\.)*"/gu)].map(([string]) =>
    String(JSON.parse(string)),
  );
  const [pattern = ''] = strings.filter((string) => string.startsWith('(?:.+/)?'));
  const match = new RegExp(`^(?:${pattern})$`, 'u').exec(`${job};ledger-7d9f8b6c5d-x2x4z`);
  expect(match?.[1]).toBe('ledger');
});

it.each<[string, Record<string, Route>]>([
  ['Prometheus 3.5.0', {}],
  [
    'Mimir 2.17.0',
    {
      '/api/v1/status/buildinfo': {
        answer: () => ({
          status: 'success',
          data: { application: 'Grafana Mimir', version: '2.17.0', features: {} },
        }),
      },
    },
  ],
  [
    'Thanos 0.39.2',
    {
      '/api/v1/status/buildinfo': {
        answer: () => ({ status: 'success', data: { version: '0.39.2', revision: '36681afb5e2e' } }),
      },
    },
  ],
  [
    'Thanos',
    {
      '/api/v1/status/buildinfo': { answer: () => new Refusal(404) },
      '/api/v1/stores': { answer: () => ({ status: 'success', data: { sidecar: [] } }) },
    },
  ],
  [
    'VictoriaMetrics',
    {
      '/api/v1/status/buildinfo': { answer: () => ({ status: 'success', data: {} }) },
      '/api/v1/status/top_queries': { answer: () => ({ topN: '20', topByCount: [] }) },
    },
  ],
])('the doctor names %s', async (product, more) => {
  const { source } = await prometheusWith(['up'], [], more);
  expect(await source.check(UNLIMITED)).toMatchObject({
    ok: true,
    summary: expect.stringMatching(new RegExp(`^${product} at http`, 'u')),
  });
});

it('says that a cluster of VictoriaMetrics, or Thanos, answered in part', async () => {
  const names: Route = {
    parameters: ['start', 'end'],
    answer: () => ({
      status: 'success',
      isPartial: true,
      warnings: ['store-2 did not answer'],
      data: ['up'],
    }),
  };
  const { source } = await prometheusWith(['up'], [], { '/api/v1/label/__name__/values': names });
  const answer = await source.series({ signals: [], stepMs: 60_000 }, WINDOW, UNLIMITED);
  expect(answer.known && answer.caveats.join()).toMatch(
    /warned: store-2 did not answer.*answered in part: not all of its storage/u,
  );
});

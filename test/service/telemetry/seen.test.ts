import { expect, it } from 'vitest';
import { seenLine } from '../../../src/bot/render/systems/seen.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { partialSource } from '../../../src/service/telemetry/combined.ts';
import type { Edge, Exported, Measure, Series, ServiceKind } from '../../../src/service/telemetry/model.ts';
import { known, NO_POINTS, unknown } from '../../../src/service/telemetry/model.ts';
import { seenOf } from '../../../src/service/telemetry/seen.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const check = async () => ({ name: 'test', ok: true, summary: 'It answers.', details: [] });
const service = (name: string, kind: ServiceKind = 'service') => ({
  name,
  kind,
  aliases: [],
  workload: null,
});

function measured(
  name: string,
  measure: Measure,
  query: string,
  edge: (Edge & { side: 'caller' }) | null = null,
): Series {
  const signal = {
    id: query,
    name: query,
    label: query,
    measure,
    unit: '',
    bad: 'high',
    metricType: 'gauge',
  } as const;
  const about = { instance: null, labels: {}, points: NO_POINTS, limit: null, providerUrl: null };
  return { ...about, signal, service: name, edge, query, provider: 'test' };
}

const exported = (name: string, metric: string, labels: Record<string, string> = {}): Exported => ({
  name: metric,
  service: name,
  labels: { job: name, ...labels },
  ...{ type: 'gauge', help: '', unit: '', points: NO_POINTS },
});

it('says of each service what is seen and by which labels, what is missing, and what is not understood', async () => {
  const series = [
    measured('venue', 'requests', 'sum by (job) (rate(http_seconds_count[1m]))'),
    measured('venue', 'errors', 'sum by (job) (rate(http_seconds_count{code="500"}[1m]))'),
    measured(
      'venue',
      'latency',
      'histogram_quantile(0.95, sum by (job, le) (rate(http_seconds_bucket[1m])))',
    ),
    measured('gate', 'requests', 'sum by (job) (rate(calls_total[1m]))', {
      ...{ caller: 'gate', callee: 'venue', side: 'caller' },
    }),
    measured('gate', 'memory', 'process_resident_memory_bytes'),
    measured('shop-db', 'connections', 'pg_connections'),
    measured('gate', 'other', 'gate_refunds_total'),
  ];
  const all = [
    exported('venue', 'http_seconds_count', { route: '/a', code: '200' }),
    exported('venue', 'http_seconds_count', { route: '/b', code: '200' }),
    exported('venue', 'process_cpu_seconds_total'),
    exported('gate', 'process_cpu_seconds_total'),
    exported('gate', 'gate_refunds_total'),
    exported('gate', 'gate_build_info'),
    exported('settle', 'settle_runs_total'),
    exported('settle', 'settle_seconds_sum'),
    exported('settle', 'settle_seconds_count'),
  ];
  const source = partialSource({
    ...{ name: 'test', check },
    services: async () => known([service('venue'), service('gate'), service('shop-db', 'database')]),
    signals: async () => known(series.map(({ signal }) => signal)),
    series: async () => known(series),
    edges: async () => known([{ caller: 'gate', callee: 'venue' }]),
    exported: async () => known(all),
  });
  const { services, notes } = await seenOf(source, NOW, UNLIMITED);
  expect(services.map((one) => seenLine(one, 1))).toEqual([
    'gate: calls, saturation (memory); no requests, errors or latency; 1 metric is not recognized (gate_refunds_total)',
    'settle: no requests, errors or latency; 2 metrics are not recognized (settle_runs_total, …)',
    'shop-db: saturation (connections)',
    'venue: requests, errors, latency by route; no calls, no saturation',
  ]);
  expect(notes).toEqual([]);
});

it('says why nothing is seen', async () => {
  const source = partialSource({ name: 'test', check, services: async () => unknown('It is down.') });
  expect(await seenOf(source, NOW, UNLIMITED)).toEqual({ services: [], notes: ['It is down.'] });
});

it('says who writes logs, whose logs no metric knows, what its measures are read from, and which databases it looks into', async () => {
  const query = 'rate(loans_requests_total{job="loans"}[1m])';
  const series = [measured('loans', 'requests', query), measured('gate', 'requests', 'rate(gate_total[1m])')];
  const all = {
    name: 'books',
    title: 'PostgreSQL',
    system: 'postgres',
    host: '',
    port: 0,
    database: null,
  } as const;
  const source = partialSource({
    ...{ name: 'test', check },
    services: async () => known([service('loans'), service('gate')]),
    signals: async () => known(series.map(({ signal }) => signal)),
    series: async () => known(series),
    exported: async () => known([exported('loans', 'loans_requests_total'), exported('gate', 'gate_total')]),
    logged: async () => known(['gate', 'loan']),
    inside: {
      all: [all],
      look: () => Promise.reject(new Error('not asked')),
      changes: async () => [],
      takeFingerprints: async () => {},
    },
  });
  const { services, notes } = await seenOf(source, NOW, UNLIMITED);
  expect(services.map((one) => seenLine(one, 1))).toEqual([
    'gate: requests, logs; no errors, no latency, no calls, no saturation',
    'loans: requests; no errors, no latency, no calls, no saturation, no logs',
    'loan: logs; no metrics',
  ]);
  expect(services.map(({ readFrom }) => readFrom)).toEqual([
    ['requests: gate_total'],
    ['requests: loans_requests_total'],
    [],
  ]);
  expect(notes).toEqual([
    'There are logs of loan, and no metrics of a service of that name. Is it loans?',
    'I can look inside: books (PostgreSQL).',
  ]);
});

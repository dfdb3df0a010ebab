import { describe, expect, it } from 'vitest';
import { indexOf } from '../../../src/service/agent/catalog/find.ts';
import { isUnwell, startsSince, type Workload } from '../../../src/service/agent/tools/workload.ts';
import { workloadInWords } from '../../../src/service/agent/words/workload.ts';
import { known, type Series } from '../../../src/service/telemetry/model.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const CRASHING: Workload = {
  service: 'worker',
  pods: 2,
  ready: { count: 0, of: 2 },
  restarts: { count: 12, since: NOW - 3_600_000, last: NOW - 60_000 },
  waiting: ['CrashLoopBackOff'],
  ended: ['OOMKilled'],
};

describe('the pods of a workload, as exporters say', () => {
  it('their readiness, restarts and reasons', () => {
    expect(workloadInWords(CRASHING, NOW)).toBe(
      '**worker**: 0 of 2 pods are ready; waiting: CrashLoopBackOff; 12 restarts since 11:00 UTC, the last seen at 11:59 UTC; the last container ended with: OOMKilled (as kube-state-metrics exports it).',
    );
  });

  it('are unwell while one is not ready or waits, and not while they start', () => {
    const well = { ...CRASHING, ready: { count: 2, of: 2 }, waiting: [] };
    expect([CRASHING, well, { ...well, waiting: ['ContainerCreating'] }].map(isUnwell)).toEqual([
      true,
      false,
      false,
    ]);
  });
});

it('what has started since then is found by its own start time, the newest first', async () => {
  const series = (instance: string, at: number): Series => ({
    service: '',
    instance: null,
    edge: null,
    labels: { instance, job: 'node' },
    signal: { id: 'x', name: 'x', label: 'x', measure: 'other', unit: 's', bad: 'high', metricType: 'gauge' },
    points: { times: Float64Array.of(NOW), values: Float64Array.of(at / 1000) },
    limit: null,
    query: null,
    providerUrl: null,
    provider: 'made',
  });
  const boot = { name: 'node_boot_time_seconds', type: 'gauge', help: '', unit: 's', labels: {} } as const;
  const asked: string[] = [];
  const facts = {
    catalog: indexOf([boot]),
    now: NOW,
    evaluate: async (expression: string) => {
      asked.push(expression);
      return known([series('box-1', NOW - 3_000_000), series('box-2', NOW - 60_000)]);
    },
  };
  expect(await startsSince(NOW - 3_600_000, facts)).toEqual([
    { of: 'box-2 (node)', at: NOW - 60_000 },
    { of: 'box-1 (node)', at: NOW - 3_000_000 },
  ]);
  expect(asked).toEqual([`node_boot_time_seconds > ${(NOW - 3_600_000) / 1000}`]);
  expect(await startsSince(NOW, { ...facts, catalog: indexOf([]) })).toBeNull();
});

import { describe, expect, it } from 'vitest';
import { isUnwell, type Workload } from '../../../src/service/agent/tools/workload.ts';
import { workloadInWords } from '../../../src/service/agent/words/workload.ts';

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

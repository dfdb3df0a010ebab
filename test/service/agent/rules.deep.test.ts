import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { answerOf } from '../../../src/service/agent/answer.ts';
import type { IssueOverview } from '../../../src/service/agent/types.ts';
import { createBudget } from '../../../src/service/telemetry/budget.ts';
import { createPrometheusSource } from '../../../src/service/telemetry/prometheus/source.ts';
import { History } from '../../support/prometheus/history.ts';
import { hasPrometheus, startPrometheus, type TestPrometheus } from '../../support/prometheus/prometheus.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 9, 20, 12, 0);
const FROM = NOW - 14 * 24 * HOUR;
/** Every eight hours for three minutes, and for half an hour on three days. */
const isShort = (at: number) =>
  (at - FROM) % (8 * HOUR) >= 7 * HOUR && (at - FROM) % (8 * HOUR) < 7 * HOUR + 3 * MINUTE;
const LONG = [2, 6, 11].map((days) => FROM + days * 24 * HOUR + 2 * HOUR);
const isLong = (at: number) => LONG.some((from) => at >= from && at < from + 30 * MINUTE);
/** Nothing was recorded for two hours. */
const GAP = FROM + 4 * 24 * HOUR;

const RULES = {
  groups: [
    {
      name: 'orders',
      rules: [
        {
          alert: 'QueueGrows',
          expr: 'queue_depth > 100',
          for: '1m',
          labels: { severity: 'critical' },
          annotations: { summary: 'The queue of {{ $labels.job }} grows ```' },
        },
        { alert: 'QueueIsGone', expr: 'absent(queue_depth)', for: '1h' },
      ],
    },
  ],
};

const issue = (number: number, triggeredAt: number): IssueOverview => ({
  number,
  title: 'QueueGrows orders',
  status: 'resolved',
  visibility: 'public',
  agreedModel: null,
  environment: 'production',
  severity: 'critical',
  triggeredAt,
  rootCauseSummary: 'Queue backlog at orders',
  remediation: [],
});
const resolved = LONG.map((at, i) => issue(i + 1, at + 2 * MINUTE));

let prometheus: TestPrometheus;

async function asked(question: string) {
  const source = createPrometheusSource({ url: prometheus.url }, { clock: systemClock });
  onTestFinished(source.close);
  const budget = createBudget({ requests: 300, ms: 60_000 }, { clock: systemClock });
  onTestFinished(budget.end);
  const list = async ({ status }: { status: string }) =>
    status === 'resolved' ? { total: resolved.length, newest: resolved } : { total: 0, newest: [] };
  const context = { now: NOW, before: null, issues: { byNumber: async () => null, list } };
  const answer = await answerOf(question, context, source, { id: randomUUID, budget });
  return { ...answer, requests: budget.spent().requests };
}

describe.skipIf(!hasPrometheus())('alert rules of a real Prometheus', () => {
  beforeAll(async () => {
    const history = new History({ from: FROM, to: NOW, stepMs: 30_000 });
    const labels = { job: 'orders', instance: 'orders:9090' };
    const isRecorded = (at: number) => at < GAP || at >= GAP + 2 * HOUR;
    const depth = (at: number) => (isLong(at) ? 400 : isShort(at) ? 130 : 20);
    history.gauge('queue_depth', labels, (at) => (isRecorded(at) ? depth(at) : Number.NaN));
    history.gauge('up', labels, () => 1);
    const firing = { alertname: 'QueueGrows', alertstate: 'firing', severity: 'critical' };
    history.gauge('ALERTS', firing, (at) => (isShort(at - MINUTE) || isLong(at - MINUTE) ? 1 : Number.NaN));
    prometheus = await startPrometheus(history, { rules: RULES });
    return prometheus.stop;
  });

  it('replays a rule with other settings, and says what each loses', async () => {
    const { answer, requests } = await asked('replay QueueGrows');
    expect(answer).toMatch(
      /^\*\*`QueueGrows`, as it is now \(`> 100, for: 1m`\), would have fired 45 times\*\* in the last 14 days/u,
    );
    expect(answer).toContain('3 of them led to an issue with a root cause.');
    expect(answer).toContain('- `for: 5m`: 3 times, 3 of the 3 with a cause');
    expect(answer).toContain('- `> 150`: 3 times, 3 of the 3 with a cause');
    expect(requests).toBeLessThan(60);
  });

  it('lists which rules fired, and which never did', async () => {
    const { answer } = await asked('which alert rules are noisy?');
    expect(answer).toContain('**1 of 2 alert rules fired** in the last 14 days:');
    expect(answer).toContain('- `QueueGrows`: 45 times,');
    expect(answer).toContain('Never fired: `QueueIsGone`.');
  });
});

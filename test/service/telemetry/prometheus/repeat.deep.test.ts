import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { RepeatableMetric } from '../../../../src/contract/schema.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { investigate } from '../../../../src/service/investigation/investigate.ts';
import { createBudget } from '../../../../src/service/telemetry/budget.ts';
import { createPrometheusSource } from '../../../../src/service/telemetry/prometheus/source.ts';
import { hasPrometheus, startPrometheus } from '../../../support/prometheus/prometheus.ts';
import { plainSystem } from '../../../support/prometheus/systems.ts';

const MINUTE = 60_000;

const Answer = z.looseObject({
  data: z.looseObject({
    result: z.array(
      z.looseObject({
        metric: z.record(z.string(), z.string()),
        values: z.array(z.tuple([z.number(), z.string()])),
      }),
    ),
  }),
});

describe.skipIf(!hasPrometheus())('what an investigation shows of a real Prometheus', () => {
  it('is what the query that is shown returns, sent again with the start, the end and the step that are shown', async () => {
    const triggeredAt = Math.floor(Date.now() / MINUTE) * MINUTE;
    const prometheus = await startPrometheus(plainSystem(triggeredAt).history);
    onTestFinished(prometheus.stop);
    const source = createPrometheusSource(
      { url: prometheus.url, publicUrl: 'https://prometheus.example.com' },
      { clock: systemClock },
    );
    onTestFinished(source.close);
    const budget = createBudget({ requests: 300, ms: MINUTE }, { clock: systemClock });
    let count = 0;
    const { artifacts } = await investigate(
      {
        title: 'HighErrorRate',
        description: 'storefront: many requests fail',
        environment: 'production',
        triggeredAt,
        service: 'storefront',
        context: { tags: ['job:storefront', 'namespace:trading'] },
      },
      source,
      { id: () => `id-${++count}`, now: triggeredAt, budget },
    );
    budget.end();
    const metrics = artifacts.filter(({ type }) => type === 'metric');
    expect(metrics.length).toBeGreaterThan(2);
    for (const { data, providerUrl = '' } of metrics) {
      const { query = '', asked, dataPoints } = RepeatableMetric.parse(data);
      if (asked === undefined) throw new Error(`nothing says what was asked: ${query}`);
      const link = new URL(providerUrl);
      expect([link.origin, link.searchParams.get('g0.expr')]).toEqual([
        'https://prometheus.example.com',
        query,
      ]);
      const [start, end] = [Date.parse(asked.start), Date.parse(asked.end)];
      const body = new URLSearchParams({
        query,
        start: String(start / 1000),
        end: String(end / 1000),
        step: String(asked.stepSeconds),
      });
      const response = await fetch(`${prometheus.url}/api/v1/query_range`, { method: 'POST', body });
      const again = Answer.parse(await response.json()).data.result.flatMap(({ values }) =>
        values.map(([at, value]) => `${Math.round(at * 1000)} ${Number(value)}`),
      );
      const shown = dataPoints.map(
        ({ timeUnixNano, asDouble }) => `${BigInt(timeUnixNano) / 1_000_000n} ${asDouble}`,
      );
      expect(shown.filter((point) => Number(point.split(' ')[0]) >= start && !again.includes(point))).toEqual(
        [],
      );
    }
  });
});

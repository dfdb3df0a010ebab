import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/lib/clock.ts';
import { investigate } from '../../../../src/service/investigation/investigate.ts';
import { createBudget } from '../../../../src/service/telemetry/budget.ts';
import { createPrometheusSource } from '../../../../src/service/telemetry/prometheus/source.ts';
import { History } from '../../../support/prometheus/history.ts';
import { hasPrometheus, startPrometheus } from '../../../support/prometheus/prometheus.ts';

const MINUTE = 60_000;
const TRIGGER = Date.UTC(2026, 9, 14, 13, 20);
const ONSET = TRIGGER - 8 * MINUTE;

/** Of 12 requests a second, a quarter of the purchases fail since the onset: 2 a second, and all of them of one customer. */
function shop(): History {
  const history = new History({ from: TRIGGER - 200 * MINUTE, to: TRIGGER });
  const about = { job: 'payments', instance: '10.0.0.2:8080' };
  const failed = (at: number) => (at >= ONSET ? 2 : 0.001);
  return history
    .gauge('up', about, () => 1)
    .counter(
      'http_requests_total',
      { ...about, method: 'POST', route: '/buy', customer: 'acme', code: '500' },
      failed,
    )
    .counter(
      'http_requests_total',
      { ...about, method: 'POST', route: '/buy', customer: 'acme', code: '200' },
      (at) => 8 - failed(at),
    )
    .counter(
      'http_requests_total',
      { ...about, method: 'GET', route: '/cart', customer: 'birch', code: '200' },
      () => 4,
    );
}

const numberIn = (text: string | undefined) => Number(text?.replaceAll(',', ''));

it.skipIf(!hasPrometheus())('counts what failed in a real Prometheus, by route and by customer', async () => {
  const prometheus = await startPrometheus(shop());
  onTestFinished(prometheus.stop);
  const source = createPrometheusSource({ url: prometheus.url }, { clock: systemClock });
  onTestFinished(source.close);
  const budget = createBudget({ requests: 300, ms: 60_000 }, { clock: systemClock });
  onTestFinished(budget.end);
  const issue = {
    title: 'Errors of payments',
    description: '',
    environment: 'production',
    service: 'payments',
  };
  const { results } = await investigate(
    { ...issue, triggeredAt: TRIGGER, context: {} },
    { ...source, tenantLabel: 'customer' },
    { id: randomUUID, now: TRIGGER, budget },
  );
  const { rootCauseSummary, incidentOverview } = results.rootCause;
  const found =
    /About (?<failed>[\d,]+) of (?<requests>[\d,]+) requests to payments failed since 13:12 UTC \([\d.]+%, as of 13:20 UTC\), all on `POST \/buy`\./u.exec(
      rootCauseSummary ?? incidentOverview,
    )?.groups;
  expect(numberIn(found?.failed) / (2 * 8 * 60)).toBeCloseTo(1, 1);
  expect(numberIn(found?.requests) / (12 * 8 * 60)).toBeCloseTo(1, 1);
  expect(results.customers?.map(({ name }) => name)).toEqual(['acme']);
});

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

/** What an investigation of errors of payments says in a real Prometheus with such a history. */
async function resultsOf(history: History) {
  const prometheus = await startPrometheus(history);
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
  return { customers: results.customers, said: rootCauseSummary ?? incidentOverview };
}

it.skipIf(!hasPrometheus())('counts what failed in a real Prometheus, by route and by customer', async () => {
  const { customers, said } = await resultsOf(shop());
  const found =
    /About (?<failed>[\d,]+) of (?<requests>[\d,]+) requests to payments have failed since 13:12 UTC \([\d.]+%, as of 13:20 UTC\), all on `POST \/buy`\./u.exec(
      said,
    )?.groups;
  expect(numberIn(found?.failed) / (2 * 8 * 60)).toBeCloseTo(1, 1);
  expect(numberIn(found?.requests) / (12 * 8 * 60)).toBeCloseTo(1, 1);
  expect(customers?.map(({ name }) => name)).toEqual(['acme']);
  expect(said).not.toContain('error budget');
});

/** As Sloth 0.12 records an objective of 99 %, of which a share is left and which is spent so many times too fast. */
function slothed(history: History, service: string, slo: string, { left = 0.6, burn = 16, more = {} } = {}) {
  const about = { sloth_id: `${service}-${slo}`, sloth_service: service, sloth_slo: slo, ...more };
  return history
    .gauge('slo:error_budget:ratio', about, () => 0.01)
    .gauge('slo:time_period:days', about, () => 30)
    .gauge('slo:current_burn_rate:ratio', { ...about, sloth_window: '5m' }, (at) =>
      at >= ONSET ? burn : 0.1,
    )
    .gauge('slo:period_error_budget_remaining:ratio', { ...about, sloth_window: '30d' }, () => left);
}

/** As Pyrra's generic rules record one of 99 % and four weeks. */
function pyrraed(history: History, slo: string) {
  return history
    .gauge('pyrra_objective', { slo }, () => 0.99)
    .gauge('pyrra_window', { slo }, () => 28 * 24 * 3600)
    .gauge('pyrra_availability', { slo }, () => 0.995)
    .gauge('pyrra_requests:rate5m', { slo }, () => 12)
    .gauge('pyrra_errors:rate5m', { slo }, (at) => (at >= ONSET ? 2 : 0));
}

it.skipIf(!hasPrometheus())('names the error budget that is spent, of this service alone', async () => {
  const history = slothed(shop(), 'payments', 'availability');
  slothed(history, 'payments', 'latency', { left: 0.9, burn: 0.2 });
  slothed(history, 'payments-web', 'payments-web-availability', { left: -0.5, burn: 50 });
  slothed(history, 'payments', 'freshness', { left: -0.1, more: { region: 'eu' } });
  slothed(history, 'payments', 'freshness', { left: -0.2, more: { region: 'us' } });
  history.gauge('up', { job: 'payments-web', instance: '10.0.0.3:8080' }, () => 1);
  // Three fifths of 30 days, 16 times too fast: 27 hours.
  expect((await resultsOf(history)).said).toMatch(
    /\n60% of the error budget of `availability` \(30 days\) is left, and used up in about 27 h, at the rate of the last 5 min\.$/u,
  );
});

it.skipIf(!hasPrometheus())('reads the generic rules of Pyrra', async () => {
  // Half of 28 days, 16.7 times too fast.
  expect((await resultsOf(pyrraed(pyrraed(shop(), 'payments-errors'), 'checkout-errors'))).said).toMatch(
    /\n50% of the error budget of `payments-errors` \(28 days\) is left, and used up in about 20 h, at the rate of the last 5 min\.$/u,
  );
});

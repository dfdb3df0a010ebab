import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import { checkPrediction } from '../../../src/service/investigation/prediction.ts';
import { createBudget } from '../../../src/service/telemetry/budget.ts';
import { createPrometheusSource } from '../../../src/service/telemetry/prometheus/source.ts';
import { asOf } from '../../../src/service/trial/trial.ts';
import { History } from '../../support/prometheus/history.ts';
import { hasPrometheus, startPrometheus } from '../../support/prometheus/prometheus.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 9, 20, 12, 0);
const ONSET = NOW - 40 * MINUTE;
/** When the alert on `gate` is over. */
const OVER = NOW - 25 * MINUTE;

/** `gate` calls `ledger`, which answers slowly from the onset on; where it stays so, something else ended the alert. */
function historyWhere(stays: boolean): History {
  const history = new History({ from: NOW - 5 * 60 * MINUTE, to: NOW, stepMs: 15_000 });
  const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
  const slow = (isBad: (at: number) => boolean) => (at: number) => (isBad(at) ? 2 : 0.06);
  const felt = (at: number) => at >= ONSET && at < OVER;
  const own = (at: number) => at >= ONSET && (stays || at < OVER);
  for (const [job, isBad] of [
    ['gate', felt],
    ['ledger', own],
  ] as const) {
    const labels = { job, instance: `${job}:80` };
    history.histogram('http_server_request_duration_seconds', labels, () => 20, slow(isBad), buckets);
    history.gauge('up', labels, () => 1);
  }
  const call = { job: 'gate', instance: 'gate:80', server_address: 'ledger' };
  history.histogram('http_client_request_duration_seconds', call, () => 20, slow(felt), buckets);
  return history;
}

describe.skipIf(!hasPrometheus())('a prediction, asked of a real Prometheus', () => {
  it.each([
    ['came true', false, 'came_true'],
    ['did not, where the alert ended and its cause did not', true, 'did_not'],
  ])('%s', async (_, stays, outcome) => {
    const prometheus = await startPrometheus(historyWhere(stays));
    onTestFinished(prometheus.stop);
    const source = createPrometheusSource({ url: prometheus.url }, { clock: systemClock });
    onTestFinished(source.close);
    const budgetOf = () => createBudget({ requests: 300, ms: 60_000 }, { clock: systemClock });
    const moment = ONSET + 8 * MINUTE;
    const issue = {
      title: 'Gate is slow',
      description: 'p95 latency of gate is above 1 s',
      environment: 'production',
      triggeredAt: moment,
      service: 'gate',
      context: {},
    };
    const { results } = await investigate(issue, asOf(source, moment), {
      id: randomUUID,
      now: moment,
      budget: budgetOf(),
    });
    const { prediction } = results;
    expect(prediction).toMatchObject({
      after: 'recovery',
      place: 'ledger',
      sentence: expect.stringMatching(
        /^If this is right, ledger \S+ latency will be below [\d.]+ m?s again by the time the alert clears\.$/u,
      ),
    });
    if (prediction == null) return;
    const about = { source, foundAt: moment, since: OVER };
    const at = (now: number) => checkPrediction(prediction, { ...about, budget: budgetOf(), now });
    expect((await at(OVER + 10 * MINUTE)).outcome).toBe(outcome);
    // Samples may still come that show it.
    if (stays) expect((await at(OVER + MINUTE)).outcome).toBeNull();
  });
});

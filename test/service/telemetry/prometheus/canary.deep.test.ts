import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/lib/clock.ts';
import { investigate } from '../../../../src/service/investigation/investigate.ts';
import { createBudget } from '../../../../src/service/telemetry/budget.ts';
import { createPrometheusSource } from '../../../../src/service/telemetry/prometheus/source.ts';
import { History } from '../../../support/prometheus/history.ts';
import { hasPrometheus, startPrometheus } from '../../../support/prometheus/prometheus.ts';

const MINUTE = 60_000;
const ALERT = Date.UTC(2026, 9, 14, 13, 20);
const CANARY = ALERT - 12 * MINUTE;

/** Three pods of `press` 1.4.2, beside which one of 1.5.0 comes; which pods fail from then on is the tests'. */
function pressWith(fails: (version: string) => boolean): History {
  const history = new History({ from: ALERT - 200 * MINUTE, to: ALERT });
  const canary = new History({ from: CANARY, to: ALERT });
  const pods = [
    ...['x2x4z', 'k9q2v', 'm4n8c'].map((id) => ({ pod: `press-7d9f8b6c5d-${id}`, version: '1.4.2' })),
    { pod: 'press-6b5f4c9d7e-p7w3t', version: '1.5.0' },
  ];
  for (const [i, { pod, version }] of pods.entries()) {
    const labels = { job: 'press', namespace: 'print', pod, instance: `10.0.0.${i + 2}:8080` };
    const share = (at: number) => (at >= CANARY && fails(version) ? 0.4 : 0.002);
    (version === '1.5.0' ? canary : history)
      .gauge('up', labels, () => 1)
      .counter('http_requests_total', { ...labels, code: '200' }, (at) => 10 * (1 - share(at)))
      .counter('http_requests_total', { ...labels, code: '500' }, (at) => 10 * share(at))
      .gauge(
        'kube_pod_container_info',
        { namespace: 'print', pod, container: 'press', image: `registry.example.com/press:${version}` },
        () => 1,
      );
  }
  return history.add(canary);
}

async function verdictOn(history: History) {
  const prometheus = await startPrometheus(history);
  onTestFinished(prometheus.stop);
  const source = createPrometheusSource({ url: prometheus.url }, { clock: systemClock });
  onTestFinished(source.close);
  const budget = createBudget({ requests: 300, ms: 60_000 }, { clock: systemClock });
  onTestFinished(budget.end);
  const issue = {
    title: 'HighErrorRate press',
    description: '',
    environment: 'production',
    triggeredAt: ALERT,
    service: 'press',
    context: {},
  };
  const { results } = await investigate(issue, source, { id: randomUUID, now: ALERT, budget });
  return { ...results.rootCause, actions: results.remediation.actions ?? [] };
}

it.skipIf(!hasPrometheus())('a canary that fails beside pods that do not is the cause', async () => {
  const { rootCauseSummary, actions } = await verdictOn(pressWith((version) => version === '1.5.0'));
  expect(rootCauseSummary).toMatch(
    /^Bad deploy of press: 1\.5\.0 .*error rate is 40% on the one instance with it and 0\.2% on the 3 instances without it/u,
  );
  expect(actions[0]?.title).toBe('Roll back press to 1.4.2');
});

it.skipIf(!hasPrometheus())(
  'a canary beside pods that fail as well is not proven to be the cause',
  async () => {
    const { rootCauseSummary, actions } = await verdictOn(pressWith(() => true));
    expect(rootCauseSummary).toMatch(/not proven to be the cause\.$/mu);
    expect(actions.map(({ title }) => title)).toEqual(['Look at 1.5.0 of press']);
  },
);

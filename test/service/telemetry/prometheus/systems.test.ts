import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/lib/clock.ts';
import { investigate } from '../../../../src/service/investigation/investigate.ts';
import { createBudget } from '../../../../src/service/telemetry/budget.ts';
import { createPrometheusSource } from '../../../../src/service/telemetry/prometheus/source.ts';
import { hasPrometheus, startPrometheus } from '../../../support/prometheus/prometheus.ts';
import { SCENARIOS, type Scenario } from '../../../support/prometheus/scenarios/index.ts';

const TRIGGERED_AT = Date.UTC(2026, 9, 14, 13, 20);

/** @param late how many milliseconds after the newest sample the alert comes */
async function verdictOf({ make, issue, rules }: Scenario, late = 0) {
  const triggeredAt = TRIGGERED_AT + late;
  const prometheus = await startPrometheus(make(TRIGGERED_AT).history, { rules: rules ?? null });
  onTestFinished(prometheus.stop);
  const source = createPrometheusSource({ url: prometheus.url }, { grafanaUrl: null, clock: systemClock });
  onTestFinished(source.close);
  const budget = createBudget({ requests: 300, ms: 60_000 }, { clock: systemClock });
  onTestFinished(budget.end);
  const { title, description = '', service = null, host, tags = [] } = issue;
  const { results } = await investigate(
    {
      title,
      description,
      environment: 'production',
      triggeredAt,
      service,
      context: { tags, ...(host !== undefined && { host }), ...(service !== null && { service }) },
    },
    source,
    { id: randomUUID, now: triggeredAt, budget },
  );
  return results.rootCause.rootCauseSummary;
}

describe.skipIf(!hasPrometheus())('in a real Prometheus', () => {
  it.each(SCENARIOS)('$name', async (scenario) => {
    const summary = await verdictOf(scenario);
    if (scenario.expected === null) expect(summary).toBeUndefined();
    else {
      const place = summary?.slice(0, summary.indexOf(':')) ?? '';
      expect({ place, summary }).toEqual({
        place: expect.stringContaining(scenario.expected.place),
        summary: expect.stringMatching(scenario.expected.kind),
      });
    }
  });

  it.each([
    'Istio over Kubernetes: a new image fails',
    'Spring over Kubernetes with pod labels alone: the connection pool is used up',
    'OpenTelemetry with a service graph: a slow database two calls away',
  ])('six minutes after the newest sample: %s', async (name) => {
    const scenario = SCENARIOS.find((one) => one.name === name);
    if (!scenario?.expected) throw new Error(`There is no "${name}".`);
    const summary = await verdictOf(scenario, 6 * 60_000);
    expect(summary).toContain(scenario.expected.place);
    expect(summary).toMatch(scenario.expected.kind);
  });
});

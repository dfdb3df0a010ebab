import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/lib/clock.ts';
import { investigate } from '../../../../src/service/investigation/investigate.ts';
import { createBudget } from '../../../../src/service/telemetry/budget.ts';
import { createPrometheusSource } from '../../../../src/service/telemetry/prometheus/source.ts';
import {
  hasPrometheus,
  startPrometheus,
  startPrometheusWith,
  type TestPrometheus,
} from '../../../support/prometheus/prometheus.ts';
import { SCENARIOS, type Scenario } from '../../../support/prometheus/scenarios/index.ts';

const FIRST_AT = Date.UTC(2026, 9, 14, 13, 20);
/** The histories share a Prometheus, so far apart that no investigation looks back to another's. */
const APART_MS = 4 * 24 * 60 * 60_000;
const triggerOf = (scenario: Scenario) => FIRST_AT + SCENARIOS.indexOf(scenario) * APART_MS;

/** Rules are evaluated now, over whatever is there. */
const RULED = SCENARIOS.filter(({ rules }) => rules !== undefined);
let shared: TestPrometheus;

/** The Prometheus that has a scenario's history. */
async function prometheusOf(scenario: Scenario): Promise<TestPrometheus> {
  if (scenario.rules === undefined) return shared;
  const own = await startPrometheus(scenario.make(triggerOf(scenario)).history, { rules: scenario.rules });
  onTestFinished(own.stop);
  return own;
}

/** @param late how many milliseconds after the newest sample the alert comes */
async function verdictOf(scenario: Scenario, late = 0) {
  const triggeredAt = triggerOf(scenario) + late;
  const prometheus = await prometheusOf(scenario);
  const source = createPrometheusSource({ url: prometheus.url }, { clock: systemClock });
  onTestFinished(source.close);
  const budget = createBudget({ requests: 300, ms: 60_000 }, { clock: systemClock });
  onTestFinished(budget.end);
  const { title, description = '', service = null, host, tags = [] } = scenario.issue;
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
  beforeAll(async () => {
    const histories = SCENARIOS.filter((one) => !RULED.includes(one));
    shared = await startPrometheusWith(
      histories.map((scenario) => () => scenario.make(triggerOf(scenario)).history),
    );
    return shared.stop;
  });

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

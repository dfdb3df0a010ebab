import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/lib/clock.ts';
import { investigate } from '../../../../src/service/investigation/investigate.ts';
import { createBudget } from '../../../../src/service/telemetry/budget.ts';
import { createPrometheusSource } from '../../../../src/service/telemetry/prometheus/source.ts';
import { SCENARIOS } from '../../../support/prometheus/scenarios/index.ts';
import { hasVictoriaMetrics, startVictoriaMetrics } from '../../../support/victoria-metrics.ts';

const DAY = 24 * 60 * 60_000;
/** Its own rules are another program's. */
const UNRULED = SCENARIOS.filter(({ rules }) => rules === undefined);
/** It takes nothing from the future, so the histories are before today, and far apart. */
const TODAY = Math.floor(Date.now() / DAY) * DAY;
const triggerOf = (i: number) => TODAY - (UNRULED.length - i) * 4 * DAY + 13 * 60 * 60_000;

describe.skipIf(!hasVictoriaMetrics())('in a real VictoriaMetrics', () => {
  let url = '';
  beforeAll(async () => {
    const started = await startVictoriaMetrics(
      UNRULED.map(
        ({ make }, i) =>
          () =>
            make(triggerOf(i)).history,
      ),
    );
    url = started.url;
    return started.stop;
  });
  const open = () => {
    const source = createPrometheusSource({ url }, { clock: systemClock });
    onTestFinished(source.close);
    const budget = createBudget({ requests: 300, ms: 60_000 }, { clock: systemClock });
    onTestFinished(budget.end);
    return { source, budget };
  };

  it.each(UNRULED.map((scenario, i) => [scenario.name, scenario, i] as const))(
    '%s',
    async (_name, scenario, i) => {
      const { source, budget } = open();
      const { title, description = '', service = null, host, tags = [] } = scenario.issue;
      const context = { tags, ...(host !== undefined && { host }), ...(service !== null && { service }) };
      const triggeredAt = triggerOf(i);
      const { results } = await investigate(
        { title, description, environment: 'production', triggeredAt, service, context },
        source,
        { id: randomUUID, now: triggeredAt, budget },
      );
      const { rootCauseSummary: summary, incidentOverview } = results.rootCause;
      expect(incidentOverview).not.toMatch(/could not evaluate|in a form that/u);
      if (scenario.expected === null) expect(summary).toBeUndefined();
      else {
        expect(summary).toContain(scenario.expected.place);
        expect(summary).toMatch(scenario.expected.kind);
      }
    },
  );

  it('is called what it is by the doctor', async () => {
    const { source, budget } = open();
    expect(await source.check(budget)).toMatchObject({
      ok: true,
      summary: expect.stringMatching(/^VictoriaMetrics at http/u),
    });
    expect(await source.alertRule?.({ name: 'HighErrorRate', labels: {} }, budget)).toMatchObject({
      known: true,
      value: null,
    });
  });
});

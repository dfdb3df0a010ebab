import { expect, it } from 'vitest';
import { createBudget } from '../../../src/service/telemetry/budget.ts';
import { openSources } from '../../../src/service/telemetry/open-sources.ts';
import { readTelemetrySettings } from '../../../src/service/telemetry/settings.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { scriptedSource } from '../../support/scripted-source.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;
const clock = manualClock(NOON);

it('says which alerts of a Grafana fired, from the annotations of their states', async () => {
  const of = (minutes: number, newState: string, text: string, more: object = {}) => ({
    id: minutes,
    alertId: 7,
    time: NOON + minutes * MINUTE,
    newState,
    text,
    tags: [],
    ...more,
  });
  const PRESS = 'Jobs fail {job=press, service=press}';
  const { url } = await scriptedSource({
    '/api/datasources': { answer: () => [] },
    '/api/annotations': {
      parameters: ['from', 'to', 'type', 'limit'],
      // The newest first, as Grafana has them.
      answer: () => [
        of(-3, 'Alerting', `${PRESS} - Alerting`),
        of(-20, 'Normal', `${PRESS} - Normal`),
        of(-30, 'Alerting', `${PRESS} - Alerting`),
        of(-32, 'Pending', `${PRESS} - Pending`),
        of(-40, 'ok', '', { alertName: 'Legacy' }),
        of(-50, 'alerting', '', { alertName: 'Legacy' }),
      ],
    },
  });
  const read = readTelemetrySettings({ GRAFANA_URL: url, GRAFANA_TOKEN: 'glsa_hush-hush' });
  if ('problems' in read) throw new Error(read.problems.join());
  const { source, close } = openSources(read.settings, clock);
  const budget = createBudget({ requests: 10, ms: MINUTE }, { clock });
  const reading = await source.fired?.({ from: NOON - 60 * MINUTE, to: NOON }, budget);
  budget.end();
  await close();
  const labels = { job: 'press', service: 'press' };
  expect(reading).toMatchObject({
    known: true,
    value: [
      { name: 'Legacy', labels: {}, from: NOON - 50 * MINUTE, to: NOON - 40 * MINUTE },
      { name: 'Jobs fail', labels, from: NOON - 30 * MINUTE, to: NOON - 20 * MINUTE },
      { name: 'Jobs fail', labels, from: NOON - 3 * MINUTE, to: null },
    ],
  });
});

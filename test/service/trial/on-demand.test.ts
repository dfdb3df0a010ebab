import { expect, it } from 'vitest';
import type { TrialAnswer } from '../../../src/contract/schema.ts';
import { known } from '../../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { createTrials } from '../../../src/service/trial/on-demand.ts';
import { madeSource } from '../../support/made-source.ts';
import { manualClock } from '../../support/manual-clock.ts';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 5, 1, 12);

/** A system whose alerts fired then, and how often it was asked which. */
function trialsOf(fired: readonly number[], fails = false) {
  const clock = manualClock(NOON);
  let asked = 0;
  const telemetry: TelemetrySource = {
    ...madeSource({
      services: [{ name: 'orders' }],
      metrics: [{ service: 'orders', measure: 'errors', unit: '1', at: () => 0.001 }],
    }),
    fired: async () => {
      asked += 1;
      if (fails) throw new Error('out of memory');
      return known(
        fired.map((from) => ({ name: 'OrdersFail', labels: { service: 'orders' }, from, to: from + HOUR })),
      );
    },
  };
  const trials = createTrials({
    telemetry,
    limits: { requests: 100, ms: 10_000 },
    clock,
    log: { warn: () => undefined, error: () => undefined },
    program: 'test',
    closing: new AbortController().signal,
  });
  const ended = async (days: number): Promise<TrialAnswer> => {
    let answer = trials(days);
    while (answer.state === 'running') {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(1_000);
      answer = trials(days);
    }
    return answer;
  };
  return { clock, trials, ended, asked: () => asked };
}

it('begins with the first who asks, and ends with a page that is kept for an hour', async () => {
  const { clock, trials, ended, asked } = trialsOf([NOON - 30 * HOUR, NOON - 5 * HOUR]);
  expect(trials(7)).toEqual({ state: 'running', done: 0, of: null, leftSeconds: null });
  const answer = await ended(7);
  expect(answer).toMatchObject({ state: 'done', page: expect.stringContaining('OrdersFail') });
  expect(answer.state === 'done' && answer.lines[0]).toMatch(/^2 alerts in 7 days, 2 without repeats/u);
  expect(trials(7)).toBe(answer);
  expect(asked()).toBe(1);
  await clock.advance(HOUR);
  expect(trials(7).state).toBe('running');
});

it('says why there is none', async () => {
  expect(await trialsOf([]).ended(3)).toEqual({
    state: 'failed',
    reason: 'No alert fired in the last 3 days, as far as Prometheus or Grafana kept them.',
  });
  const failed = { state: 'failed', reason: 'The trial failed; the log says why.' };
  expect(await trialsOf([], true).ended(3)).toEqual(failed);
});

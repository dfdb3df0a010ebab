import { describe, expect, it } from 'vitest';
import type { Prediction } from '../../../src/contract/schema.ts';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import { checkPrediction } from '../../../src/service/investigation/prediction.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { type MadeMetric, type MadeSystem, madeSource } from '../../support/made-source.ts';
import { deploy, level, MINUTE, ONSET, red, system } from './freight.ts';

const TRIGGER = ONSET + 8 * MINUTE;

const asked = (metrics: readonly MadeMetric[]): MadeMetric[] =>
  metrics.map((one) => ({ ...one, query: `${one.measure} of ${one.service}` }));

/** Everything can be asked again. */
const measured = (made: MadeSystem): MadeSystem => ({ ...made, metrics: asked(made.metrics) });

async function told(made: MadeSystem, refuted: readonly { place: string; kind: string }[] = []) {
  let count = 0;
  const issue = {
    title: 'Portal is slow',
    description: '',
    environment: 'production',
    triggeredAt: TRIGGER,
    service: 'portal',
    context: {},
    refuted,
  };
  const options = { id: () => `id-${++count}`, now: TRIGGER + 5000, budget: UNLIMITED };
  const { results } = await investigate(issue, madeSource(made), options);
  return { prediction: results.prediction ?? null, summary: results.rootCause.rootCauseSummary ?? '' };
}

const failing = system({
  tariffs: { errors: level(0.002, 0.3), latency: level(0.04, 0.05) },
  changes: [deploy('tariffs', ONSET - MINUTE / 2)],
});

describe('a prediction', () => {
  it('is that what is behind the alert is over when the alert is', async () => {
    const { prediction } = await told(measured(system({})));
    expect(prediction).toMatchObject({
      after: 'recovery',
      place: 'tariffs',
      withinSeconds: 180,
      bad: 'high',
      sentence: expect.stringMatching(
        /^If this is right, tariffs (?:p95 latency|error rate) will be below \S+(?: ms)? again by the time the alert clears\.$/u,
      ),
    });
  });

  it('is nothing where nothing measures it, nor where the alert itself would', async () => {
    expect((await told(system({}))).prediction).toBeNull();
    const metrics = asked(red('portal', { errors: level(0.002, 0.3) }));
    expect((await told({ services: [{ name: 'portal' }], metrics })).prediction).toBeNull();
  });

  it('is that the symptom ends once the change before it is taken back, though nothing proves that change', async () => {
    const { prediction, summary } = await told(measured(failing));
    expect(summary).toMatch(/not proven to be the cause/u);
    expect(prediction).toMatchObject({
      after: 'undo',
      place: 'tariffs',
      withinSeconds: 600,
      sentence: expect.stringMatching(/ within 10 minutes of reverting the change\.$/u),
    });
  });

  it('and did not happen is ruled out the next time', async () => {
    const first = await told(measured(failing));
    const { place = '', kind = '' } = first.prediction ?? {};
    expect(place).toBe('tariffs');
    const again = await told(measured(failing), [{ place, kind }]);
    expect(again.summary.split(':')[0]).not.toBe(first.summary.split(':')[0]);
  });
});

const SINCE = Date.UTC(2026, 8, 14, 11);
const PREDICTION: Prediction = {
  sentence: 'If this is right, seats error rate will be below 5% within 10 minutes of reverting the change.',
  after: 'undo',
  withinSeconds: 600,
  query: 'errors of seats',
  labels: {},
  bound: 0.05,
  bad: 'high',
  place: 'seats',
  kind: 'bad deploy',
};

describe('whether it came true', () => {
  const check = (
    at: (time: number) => number | null,
    { now = SINCE + 12 * MINUTE, since = SINCE as number | null, changes = [deploy('seats', SINCE)] } = {},
  ) =>
    checkPrediction(PREDICTION, {
      source: madeSource({
        services: [{ name: 'seats' }],
        metrics: asked([{ service: 'seats', measure: 'errors', unit: '1', at }]),
        changes,
      }),
      budget: UNLIMITED,
      since,
      foundAt: SINCE - 5 * MINUTE,
      now,
    });
  const since = new Date(SINCE).toISOString();

  it('is seen once two samples in a row are good, and not before', async () => {
    const back = (time: number) => (time >= SINCE + 4 * MINUTE || time === SINCE + MINUTE ? 0.001 : 0.3);
    expect(await check(back)).toEqual({ since, outcome: 'came_true', at: '2026-09-14T11:04:00.000Z' });
    expect(await check(back, { now: SINCE + 3 * MINUTE })).toEqual({ since, outcome: null, at: null });
  });

  it('is not, once its time is over and every sample is bad', async () => {
    expect(await check(() => 0.3)).toEqual({ since, outcome: 'did_not', at: '2026-09-14T11:10:00.000Z' });
    expect(await check(() => 0.3, { now: SINCE + 10 * MINUTE })).toMatchObject({ outcome: null });
  });

  it('is not known where nothing measured it', async () => {
    expect(await check(() => null)).toEqual({ since, outcome: null, at: null });
  });

  it('is looked at from when the change was seen to be taken back, and not before it was', async () => {
    expect(await check(() => 0.001, { since: null })).toMatchObject({ since, outcome: 'came_true' });
    const none = { since: null, outcome: null, at: null };
    expect(await check(() => 0.001, { since: null, changes: [] })).toEqual(none);
    expect(await check(() => 0.001, { since: null, changes: [deploy('orders', SINCE)] })).toEqual(none);
  });
});

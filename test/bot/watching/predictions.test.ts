import { describe, expect, it } from 'vitest';
import { checklistOf } from '../../../src/bot/issues/checklist.ts';
import { seenBefore } from '../../../src/bot/issues/memory.ts';
import { predictionOf } from '../../../src/bot/record/keep.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { checkPredictions } from '../../../src/bot/watching/predictions.ts';
import type { InvestigationResults, PredictionAnswer } from '../../../src/contract/answers.ts';
import { createServices } from '../../../src/contract/client/client.ts';
import { theIssue, uuidOf } from '../../support/issues.ts';
import { type Watching, watching } from './support.ts';

const MINUTE = 60_000;
const SENTENCE = 'If this is right, seats errors will be below 5% within 10 minutes of reverting the change.';
const RESULTS: InvestigationResults = {
  rootCause: { rootCauseSummary: 'Bad deploy of seats: 1.1.0 rolled out at 10:00.' },
  causalTreeV2: {
    nodes: [{ id: 'seats', nodeType: 'cause', title: 'Bad deploy of seats', confidence: 'high' }],
  },
  remediation: {
    actions: [
      {
        title: 'Roll back seats',
        steps: ['Check the migrations', 'Roll back', 'Confirm it'].map((title) => ({
          title,
          required: true,
        })),
      },
    ],
  },
};

/** A verdict with a prediction, and a look at what became of it twenty minutes later, as if the program began then. */
async function withPrediction(
  test: Watching,
  after: 'undo' | 'recovery' | null,
  answer: PredictionAnswer = {},
) {
  const { service, poller, opened } = test;
  service.predictions.prediction = after === null ? null : { sentence: SENTENCE, after, withinSeconds: 600 };
  service.predictions.answer = answer;
  await test.investigation();
  service.results.set(uuidOf(1), RESULTS);
  test.elsewhere(1, { status: 'ready_to_fix' });
  await poller.tick();
  await opened.store.outbox.delivered('result:issue-1:1', 1);
  return async () => {
    await opened.clock.sleep(20 * MINUTE);
    const services = createServices({ default: service.client });
    const log = createLogger('silent');
    await checkPredictions({ ...opened, services, log }, new AbortController().signal);
  };
}

const verdictOf = ({ store }: Watching) => store.verdicts.of('issue-1');
const AT = '2026-03-17T12:00:00.000Z';

describe('a prediction', () => {
  it('is stored with it, in the transaction that stores the results', async () => {
    await using test = await watching();
    await withPrediction(test, 'undo');
    const expects = { sentence: SENTENCE, after: 'undo', withinSeconds: 600 };
    expect(JSON.parse((await verdictOf(test))?.expects ?? '')).toEqual(expects);
    expect(await predictionOf('issue-1', 1, test.store)).toEqual({
      sentence: SENTENCE,
      outcome: null,
      at: null,
    });
    expect(await predictionOf('issue-1', 2, test.store)).toBeNull();
  });

  it('is looked at again and again, until it came true: then its message is edited once', async () => {
    await using test = await watching();
    const look = await withPrediction(test, 'undo', { since: null, outcome: null, at: null });
    await look();
    test.service.predictions.answer = { since: AT, outcome: 'came_true', at: AT };
    await look();
    await look();
    expect(test.service.predictions.asked).toEqual([null, null]);
    const outcomeAt = Date.parse(AT);
    expect(await verdictOf(test)).toMatchObject({ outcome: 'came_true', outcomeAt, checkAt: null });
    expect(await test.said()).toEqual(['result:issue-1:1 {"version":1,"notice":"result"}']);
    expect((await theIssue(test.store)).wantedStatus).toBeNull();
  });

  it('is looked at since the step before the one that confirms it was done', async () => {
    await using test = await watching();
    const look = await withPrediction(test, 'undo');
    const latest = await test.store.results.latest('issue-1');
    const [steps = []] = checklistOf(latest?.results ?? {}, []);
    const tick = (n: number, at: number) =>
      test.store.checklistSteps.add({ issueId: 'issue-1', step: steps[n]?.key ?? '', who: 'U1', at });
    await tick(0, Date.parse(AT) - MINUTE);
    await look();
    await tick(1, Date.parse(AT));
    await look();
    expect(test.service.predictions.asked).toEqual([null, AT]);
  });

  it('and did not come true is investigated again, unless the issue is closed', async () => {
    for (const [change, wanted] of [
      [null, 'investigating'],
      [{ isOpen: false, status: 'resolved' }, null],
      [{ status: 'muted' }, null],
    ] as const) {
      await using test = await watching();
      const look = await withPrediction(test, 'undo', { since: AT, outcome: 'did_not', at: AT });
      if (change !== null) await test.store.issues.rewrite('issue-1', change);
      await look();
      expect((await verdictOf(test))?.outcome).toBe('did_not');
      expect((await theIssue(test.store)).wantedStatus).toBe(wanted);
    }
  });

  it('for the end of the alert is asked from then on', async () => {
    await using test = await watching();
    const look = await withPrediction(test, 'recovery');
    await look();
    expect(test.service.predictions.asked).toEqual([null]);
    await test.store.issues.rewrite('issue-1', { recoveredAt: Date.parse(AT) });
    await look();
    expect(test.service.predictions.asked).toEqual([null, AT]);
  });
});

describe('what was changed after a verdict', () => {
  const rollback = { at: AT, title: 'seats 1.0.9 (was 1.1.0)' };

  it('is in its timeline once, though it predicts nothing, and its message is edited', async () => {
    await using test = await watching();
    const { store } = test;
    const look = await withPrediction(test, null, { changes: [rollback] });
    const keptAt = await store.results.at('issue-1', 1);
    await look();
    const seenLater = { ...rollback, at: new Date(Date.parse(AT) + 20_000).toISOString() };
    test.service.predictions.answer = { changes: [seenLater] };
    await look();
    expect((await store.results.newest('issue-1'))?.timeline).toEqual([
      { type: 'change', timestamp: AT, title: 'seats 1.0.9 (was 1.1.0)' },
    ]);
    expect(await store.results.at('issue-1', 1)).toBe(keptAt);
    expect((await store.outbox.get('result:issue-1:1'))?.state).toBe('due');
  });

  it('is what ended it, as the memory of it says', async () => {
    await using test = await watching();
    const { store, opened } = test;
    const at = new Date(opened.clock.now() + 5 * MINUTE).toISOString();
    const look = await withPrediction(test, null, { changes: [{ ...rollback, at }] });
    await look();
    await store.issues.rewrite('issue-1', {
      status: 'resolved',
      isOpen: false,
      recoveredAt: opened.clock.now(),
      identity: 'a',
    });
    await test.investigation(2, { identity: 'a' });
    const [ending] = await seenBefore(
      await theIssue(store, 'issue-2'),
      opened.clock.now(),
      store,
      async () => true,
    );
    expect(ending).toMatchObject({ issueId: 'issue-1', by: 'rollback' });
  });

  it('is looked for until the issue is closed', async () => {
    await using test = await watching();
    const look = await withPrediction(test, null);
    await look();
    expect((await verdictOf(test))?.checkAt).toBeGreaterThan(test.opened.clock.now());
    await test.store.issues.rewrite('issue-1', { status: 'resolved', statusSince: test.opened.clock.now() });
    await look();
    expect((await verdictOf(test))?.checkAt).toBeNull();
  });
});

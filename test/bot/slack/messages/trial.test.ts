import { expect, it } from 'vitest';
import { noTrial, trialFailed } from '../../../../src/bot/render/settings/announcements.ts';
import { trialIntent } from '../../../../src/bot/store/intents/issue-intents.ts';
import { TimedOutError } from '../../../../src/contract/client/errors.ts';
import type { TrialAnswer } from '../../../../src/contract/schema.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { messagesOf } from '../support/messages-of.ts';

it('the page of a trial is asked for until it is there, also while the service is away, for an hour at most', async () => {
  await using opened = await openTestStore();
  const { store, clock } = opened;
  let answer: TrialAnswer | null | Error = { state: 'running', done: 3, of: 9, leftSeconds: 60 };
  const asked: number[] = [];
  const trial = async (days: number) => {
    asked.push(days);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const contentOf = messagesOf({ store, clock, trial });
  const intent = trialIntent('D1', { days: 7, cause: 'press' }, clock.now());
  await store.outbox.want(intent);
  const now = async () => {
    const row = await store.outbox.get(intent.key);
    return row && contentOf(row);
  };
  const says = (part: object) => ({ kind: 'messages', parts: [part], channel: 'D1', threadTs: null });
  expect(await now()).toEqual({ kind: 'later', ms: 5_000 });
  answer = new TimedOutError({ operation: 'trial.get', ambiguous: true, timeoutMs: 30_000 });
  expect(await now()).toEqual({ kind: 'later', ms: 30_000 });
  answer = { state: 'failed', reason: 'No alert fired.' };
  expect(await now()).toEqual(says(trialFailed('No alert fired.')));
  answer = null;
  expect(await now()).toEqual(says(noTrial()));
  answer = { state: 'done', page: '<p>page</p>', lines: ['2 alerts in 7 days', 'second'] };
  expect(await now()).toEqual({
    kind: 'file',
    channel: 'D1',
    threadTs: null,
    name: 'trial-7-days.html',
    title: '2 alerts in 7 days',
    bytes: new TextEncoder().encode('<p>page</p>'),
  });
  answer = { state: 'running', done: 3, of: 9, leftSeconds: 60 };
  await clock.sleep(61 * 60_000);
  expect(await now()).toEqual(says(trialFailed('It took more than an hour.')));
  expect(new Set(asked)).toEqual(new Set([7]));
});

import { expect, it, onTestFinished } from 'vitest';
import { openTestStore } from '../../support/open-test-store.ts';

const vote = { subject: 'result:i1:1', who: 'U1', value: 1, channel: 'C1', at: 5 } as const;

async function votes() {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened.store.votes;
}

it('a person has one vote on a subject, which they may change', async () => {
  const store = await votes();
  const outcomes = [
    await store.cast(vote),
    await store.cast({ ...vote, at: 6 }),
    await store.cast({ ...vote, value: -1, at: 7 }),
    await store.cast({ ...vote, who: 'U2' }),
    await store.cast({ ...vote, subject: 'result:i1:2' }),
  ];
  expect(outcomes).toEqual(['new', 'same', 'changed', 'new', 'new']);
  expect(await store.countIn('C1', 0, 9)).toEqual({ up: 2, down: 1 });
});

it('votes count where and when they were cast last', async () => {
  const store = await votes();
  await store.cast(vote);
  await store.cast({ ...vote, at: 9 });
  expect(await store.countIn('C1', 4, 5)).toEqual({ up: 1, down: 0 });
  expect(await store.countIn('C1', 5, 9)).toEqual({ up: 0, down: 0 });
  expect(await store.countIn('C2', 0, 9)).toEqual({ up: 0, down: 0 });
});

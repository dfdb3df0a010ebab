import { expect, it, onTestFinished } from 'vitest';
import { openTestStore } from '../../support/open-test-store.ts';

it('a history is an issue’s or a channel’s own, the newest entries, the newest last', async () => {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { audit } = opened.store;
  for (const at of [3, 1, 2]) await audit.add({ at, who: 'U1', what: `act ${at}`, issueId: 'i1' });
  await audit.add({ at: 4, who: 'U1', what: 'set it', issueId: null, channel: 'C1' });
  await audit.add({ at: 5, who: 'U1', what: 'paused filing', issueId: null });
  expect(await audit.ofIssue('i1', 2)).toEqual({
    entries: [
      { at: 2, who: 'U1', what: 'act 2' },
      { at: 3, who: 'U1', what: 'act 3' },
    ],
    older: 1,
  });
  expect(await audit.ofChannel('C1', 2)).toEqual({
    entries: [{ at: 4, who: 'U1', what: 'set it' }],
    older: 0,
  });
  expect(await audit.ofChannel('C2', 2)).toEqual({ entries: [], older: 0 });
});

import { expect, it, onTestFinished } from 'vitest';
import { openTestStore } from '../../support/open-test-store.ts';

async function changes() {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened.store.changes;
}

it('a change that is begun again is as it was when it was begun first', async () => {
  const store = await changes();
  const begun = [
    await store.begin({ cause: 'a', version: 1, at: 5 }),
    await store.begin({ cause: 'a', version: 2, at: 6 }),
    await store.begin({ cause: 'b', version: 2, at: 6 }),
  ];
  expect(begun).toEqual([
    { version: 1, isTakenUp: false, isRecorded: false },
    { version: 1, isTakenUp: true, isRecorded: false },
    { version: 2, isTakenUp: false, isRecorded: false },
  ]);
});

it('a change that is recorded stays so, and one that was refused may be begun anew', async () => {
  const store = await changes();
  await store.begin({ cause: 'kept', version: 1, at: 5 });
  await store.recorded('kept');
  await store.forget('kept');
  await store.begin({ cause: 'refused', version: 1, at: 5 });
  await store.forget('refused');
  expect([await store.isBegun('kept'), await store.isBegun('refused')]).toEqual([true, false]);
  expect([
    await store.begin({ cause: 'kept', version: 3, at: 7 }),
    await store.begin({ cause: 'refused', version: 3, at: 7 }),
  ]).toEqual([
    { version: 1, isTakenUp: true, isRecorded: true },
    { version: 3, isTakenUp: false, isRecorded: false },
  ]);
});

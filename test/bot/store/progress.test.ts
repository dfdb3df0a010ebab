import { expect, it } from 'vitest';
import { openTestStore } from '../../support/open-test-store.ts';

const NOTHING = { overview: false, evidence: 0, ruledOut: 0, causes: 0 };
const FOUND = { overview: true, evidence: 2, ruledOut: 1, causes: 3 };

it('an investigation that nobody asked for has no progress', async () => {
  await using opened = await openTestStore();
  expect(await opened.store.progress.of('i')).toBeNull();
});

it('one that is asked for again begins anew', async () => {
  await using opened = await openTestStore();
  const { progress } = opened.store;
  await progress.begin('i');
  expect(await progress.of('i')).toEqual(NOTHING);
  await progress.save('i', FOUND);
  expect(await progress.of('i')).toEqual(FOUND);
  await progress.begin('i');
  expect(await progress.of('i')).toEqual(NOTHING);
});

import { expect, it } from 'vitest';
import { newIssue } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

it('a picture is due until it is ready, oldest first; a file that the outbox shares never is', async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await store.issues.add(newIssue());
  const what = { picture: 'graph', issue: 'issue-1', version: 1 } as const;
  const wanted = (key: string, at: number) => ({ key, issueId: 'issue-1', what, shownBy: null, at });
  const due = async (now: number) => (await store.files.due(now, 10)).map(({ key }) => key);
  await store.files.want(wanted('later', 20));
  await store.files.want(wanted('sooner', 10));
  await store.files.sharing('shared', 'issue-1', 'F9', 5);
  // At once, even where the clock of whoever wanted them was ahead.
  expect(await due(9)).toEqual(['sooner', 'later']);

  await store.files.processing('sooner', 'F1', 'A graph', 40);
  expect([await due(30), await due(40)]).toEqual([['later'], ['later', 'sooner']]);
  expect([await store.files.untilNext(30), await store.files.untilNext(40)]).toEqual([
    10,
    Number.POSITIVE_INFINITY,
  ]);
  await store.files.want(wanted('sooner', 1));
  await store.files.ready('sooner');
  await store.files.failed('later');
  expect(await due(1_000)).toEqual([]);
  expect(await store.files.get('sooner')).toMatchObject({ state: 'ready', fileId: 'F1', alt: 'A graph' });
});

it('a file that is shared anew is the newest upload, waited for as long as that', async () => {
  await using opened = await openTestStore();
  const { files } = opened.store;
  await files.sharing('file', null, 'F1', 5);
  await files.sharing('file', null, 'F2', 9);
  expect(await files.get('file')).toMatchObject({ fileId: 'F2', nextAt: 9 });
});

import { expect, it } from 'vitest';
import { addCreated, intent, theIssue } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

it('the issues of an incident are found and refreshed together', async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  const add = async (number: number, more: object) => {
    const id = `issue-${number}`;
    await addCreated(store, number, { id, identity: `i${number}`, number });
    await store.issues.rewrite(id, { cause: 'bad deploy of payments', ...more });
  };
  await add(1, {});
  await add(2, { symptomOf: 'issue-1' });
  await add(3, { symptomOf: 'issue-1', state: 'gone' });
  await add(4, { joinedInto: 'issue-1' });
  await add(5, { isOpen: false, status: 'resolved' });
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const sixth = { ...(await theIssue(store)), id: 'issue-6', identity: null, createdAt: 6 };
  expect(ids(await store.issues.openBeside(sixth))).toEqual(['issue-1', 'issue-2', 'issue-4']);
  expect(ids(await store.issues.endedLike(sixth, 0, { limit: 10, offset: 0 }))).toEqual(['issue-5']);
  expect(ids(await store.issues.endedLike({ ...sixth, createdAt: 4 }, 0, { limit: 10, offset: 0 }))).toEqual(
    [],
  );
  expect(ids(await store.issues.symptomsOf('issue-1'))).toEqual(['issue-2', 'issue-3']);
  expect(ids(await store.issues.about('issue-1'))).toEqual(['issue-2', 'issue-4']);
  await store.outbox.refreshCards('issue-1');
  const states = await Promise.all([1, 2, 4, 5].map((number) => intent(store, `card:issue-${number}`)));
  expect(states).toEqual(['due', 'due', 'idle', 'idle']);
  // What becomes of a symptom is on the card of the issue that leads.
  await store.outbox.delivered('card:issue-1', 2);
  await store.outbox.refreshCards('issue-2');
  expect(await intent(store, 'card:issue-1')).toBe('due');
});

it('the votes on all results of an issue are counted', async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  const vote = (subject: string, who: string, value: 1 | -1) =>
    store.votes.cast({ subject, who, value, channel: 'C1', at: 1 });
  await vote('result:issue-1:1', 'U0ALICE', 1);
  await vote('result:issue-1:2', 'U0BOB', 1);
  await vote('result:issue-1:2', 'U0ALICE', -1);
  await vote('result:issue-10:1', 'U0BOB', -1);
  expect(await store.votes.ofIssue('issue-1')).toEqual({ up: 2, down: 1 });
});

import { expect, it } from 'vitest';
import { openTestStore } from '../../support/open-test-store.ts';

it('conversations that went on since a moment are found by their thread, the newest first', async () => {
  await using opened = await openTestStore();
  const { conversations } = opened.store;
  const start = (id: string, threadTs: string | null, createdAt: number) =>
    conversations.start({ id, channel: 'C1', threadTs, issueId: null, startedBy: 'U1', createdAt });
  await start('old', '1.0', 100);
  await start('new', '2.0', 200);
  await start('revived', '3.0', 50);
  await start('without a thread', null, 300);
  await conversations.continueAs('revived', 'conversation-1', 400);
  const found = async (limit: number) => (await conversations.activeSince(100, limit)).map(({ id }) => id);
  expect([await found(10), await found(1)]).toEqual([['revived', 'new'], ['revived']]);
});

it('a conversation listens from its beginning, and as somebody wants it then', async () => {
  await using opened = await openTestStore();
  const { conversations } = opened.store;
  const started = await conversations.start({
    id: 'a',
    channel: 'C1',
    threadTs: '1.0',
    issueId: null,
    startedBy: 'U1',
    createdAt: 1,
  });
  expect(started.listening).toBe(true);
  await conversations.listen('a', false, 2);
  expect(await conversations.get('a')).toMatchObject({ listening: false, updatedAt: 2 });
  await conversations.listen('a', true, 3);
  expect(await conversations.get('a')).toMatchObject({ listening: true, updatedAt: 3 });
});

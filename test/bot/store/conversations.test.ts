import { expect, it } from 'vitest';
import { openTestStore } from '../../support/open-test-store.ts';

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

import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/open.ts';
import { openTestStore } from '../support/open-test-store.ts';

async function conversation(store: Store, id: string, channel = 'C1', threadTs: string | null = id) {
  return store.conversations.start({
    id,
    channel,
    thread_ts: threadTs,
    issue_id: null,
    started_by: 'U1',
    created_at: 1,
  });
}

function queue(store: Store, id: string, of: string, createdAt: number, asker = 'U1') {
  return store.questions.add({ id, conversation: of, asker, text: id, createdAt });
}

async function next(store: Store): Promise<string[]> {
  return (await store.questions.next(10)).map((question) => question.id);
}

describe('questions', () => {
  it('of one conversation come one at a time in their order, those of others beside them', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a');
    await conversation(store, 'b');
    await queue(store, 'a2', 'a', 20);
    await queue(store, 'a1', 'a', 10);
    await queue(store, 'b1', 'b', 15);
    expect(await next(store)).toEqual(['a1', 'b1']);
    await store.questions.update('a1', { state: 'asking' }, 30);
    expect(await next(store)).toEqual(['b1']);
    await store.questions.update('a1', { state: 'complete' }, 40);
    expect(await next(store)).toEqual(['b1', 'a2']);
  });

  it('of the same moment have an order all the same', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a');
    await queue(store, 'y', 'a', 10);
    await queue(store, 'x', 'a', 10);
    expect(await next(store)).toEqual(['x']);
  });

  it('are no longer in the way once they have failed', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a');
    await queue(store, 'a1', 'a', 10);
    await queue(store, 'a2', 'a', 20);
    await store.questions.update('a1', { state: 'failed' }, 30);
    expect(await next(store)).toEqual(['a2']);
  });

  it('are added once, though two events bring them', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a');
    expect(await queue(store, 'a1', 'a', 10)).toBe(true);
    expect(await queue(store, 'a1', 'a', 11)).toBe(false);
  });

  it('that were being asked when the process died are asked again, from their beginning', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a');
    await queue(store, 'a1', 'a', 10);
    await store.questions.update('a1', { state: 'asking', answer: 'half of' }, 20);
    await store.questions.requeueAsking(30);
    expect(await store.questions.next(10)).toEqual([
      expect.objectContaining({ id: 'a1', state: 'queued', answer: '' }),
    ]);
  });

  it('are counted per person and per channel, without those that failed', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a', 'C1');
    await conversation(store, 'b', 'C2');
    await queue(store, 'old', 'a', 5);
    await queue(store, 'a1', 'a', 10);
    await queue(store, 'b1', 'b', 10);
    await queue(store, 'a2', 'a', 10, 'U2');
    await queue(store, 'bad', 'a', 10);
    await store.questions.update('bad', { state: 'failed' }, 20);
    expect({
      byPerson: await store.questions.countBy('U1', 5),
      inChannel: await store.questions.countIn('C1', 5),
    }).toEqual({ byPerson: 2, inChannel: 2 });
  });
});

describe('conversations', () => {
  it('are one a thread, whoever starts them', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    const first = await conversation(store, 'a', 'C1', '1.0');
    expect((await conversation(store, 'b', 'C1', '1.0')).id).toBe('a');
    expect(await store.conversations.byThread('C1', '1.0')).toEqual(first);
  });

  it('that a command starts get their thread once, from their first answer', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'command', 'C1', null);
    await conversation(store, 'other command', 'C1', null);
    await store.conversations.place('command', 'D1', '9.0');
    await store.conversations.place('command', 'C1', '10.0');
    expect(await store.conversations.byThread('D1', '9.0')).toMatchObject({ id: 'command' });
    expect(await store.conversations.byThread('C1', '10.0')).toBeNull();
  });
});

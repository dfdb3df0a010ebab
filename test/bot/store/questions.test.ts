import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/bot/store/open.ts';
import { openTestStore } from '../../support/open-test-store.ts';

async function conversation(store: Store, id: string, channel = 'C1', threadTs: string | null = id) {
  return store.conversations.start({
    id,
    channel,
    threadTs: threadTs,
    issueId: null,
    startedBy: 'U1',
    createdAt: 1,
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

  it('that were being asked when the process died are asked again; what had arrived stays until then', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a');
    await queue(store, 'a1', 'a', 10);
    await store.questions.update('a1', { state: 'asking', answer: 'half of' }, 20);
    await store.questions.requeueAsking([], 30);
    expect(await store.questions.next(10)).toEqual([
      expect.objectContaining({ id: 'a1', state: 'queued', answer: 'half of' }),
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

describe('a question that waits', () => {
  it('is begun once, and what came of an earlier attempt stays until something newer comes', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a');
    await queue(store, 'a1', 'a', 10);
    await store.questions.update('a1', { answer: 'half of', artifacts: '[{}]', note: 'broke off' }, 20);
    expect(await store.questions.begin('a1', 30)).toMatchObject({
      state: 'asking',
      answer: 'half of',
      artifacts: '[{}]',
      note: null,
      askedAt: 30,
    });
    expect(await store.questions.begin('a1', 40)).toBeNull();
  });

  it('knows how many are ahead of it, and who waits in its conversation', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a');
    await conversation(store, 'b');
    await queue(store, 'b1', 'b', 1);
    await queue(store, 'a2', 'a', 20);
    await queue(store, 'a1', 'a', 20);
    await queue(store, 'a3', 'a', 30);
    await queue(store, 'done', 'a', 5);
    await store.questions.update('done', { state: 'complete' }, 6);
    await store.questions.begin('a1', 40);
    const ahead = async (id: string) => {
      const question = await store.questions.get(id);
      return question && store.questions.ahead(question);
    };
    expect([await ahead('a1'), await ahead('a2'), await ahead('a3')]).toEqual([0, 1, 2]);
    expect((await store.questions.queued('a')).toSorted()).toEqual(['a2', 'a3']);
    const underWay = async () => (await store.questions.underWay('a')).map(({ id }) => id);
    expect(await underWay()).toEqual(['a1', 'a2', 'a3']);
    await store.questions.update('a1', { state: 'failed' }, 50);
    expect(await underWay()).toEqual(['a2', 'a3']);
    expect(await store.questions.underWay('nothing')).toEqual([]);
  });

  it('or grows is stopped once, by whoever is first', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a');
    await queue(store, 'a1', 'a', 10);
    await queue(store, 'a2', 'a', 20);
    await store.questions.begin('a1', 30);
    const stop = (id: string, who: string) => store.questions.stop(id, who, 40);
    expect([await stop('a1', 'U1'), await stop('a1', 'U2'), await stop('a2', 'U2')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(await store.questions.get('a1')).toMatchObject({ state: 'asking', stoppedBy: 'U1' });
    expect(await store.questions.get('a2')).toMatchObject({ state: 'stopped', stoppedBy: 'U2' });
    expect(await store.questions.stopped(['a1', 'other'])).toEqual(['a1']);
    expect(await store.questions.stopped([])).toEqual([]);
    expect(await store.questions.requeueAsking([], 50)).toEqual([
      { id: 'a1', conversation: 'a', state: 'stopped' },
    ]);
  });

  it('of those that are being asked stays with whoever asks it', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    for (const id of ['a', 'b']) {
      await conversation(store, id);
      await queue(store, `${id}1`, id, 10);
      await store.questions.begin(`${id}1`, 20);
    }
    expect(await store.questions.requeueAsking(['a1'], 30)).toEqual([
      { id: 'b1', conversation: 'b', state: 'queued' },
    ]);
    expect(await store.questions.get('a1')).toMatchObject({ state: 'asking' });
  });
});

describe('a question that has ended', () => {
  it.each([
    ['queued', false],
    ['asking', false],
    ['complete', false],
    ['failed', true],
    ['stopped', true],
    ['late', true],
  ] as const)('as %s is asked again, or refused: %s', async (state, may) => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a');
    await queue(store, 'a1', 'a', 10);
    await queue(store, 'a2', 'a', 10);
    for (const id of ['a1', 'a2']) await store.questions.update(id, { state, stoppedBy: 'U1' }, 20);
    expect([
      await store.questions.askAgain('a1', 30),
      await store.questions.refuse('a2', 'too many', 30),
    ]).toEqual([may, may]);
    if (!may) return;
    expect(await store.questions.get('a1')).toMatchObject({
      state: 'queued',
      stoppedBy: null,
      createdAt: 30,
    });
    expect(await store.questions.get('a2')).toMatchObject({
      state: 'failed',
      note: 'too many',
      createdAt: 10,
    });
  });

  it('and left some words is remembered, the last few of them', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a');
    const ended = [
      ['a1', 'complete', 'one'],
      ['a2', 'failed', ''],
      ['a3', 'failed', 'thr'],
      ['a4', 'stopped', 'fo'],
      ['a5', 'asking', 'fi'],
    ] as const;
    for (const [at, [id, state, answer]] of ended.entries()) {
      await queue(store, id, 'a', at);
      await store.questions.update(id, { state, answer }, 10);
    }
    const answered = async (limit: number) =>
      (await store.questions.answered('a', limit)).map(({ answer }) => answer);
    expect([await answered(9), await answered(2)]).toEqual([
      ['one', 'thr', 'fo'],
      ['thr', 'fo'],
    ]);
  });

  it('and that came as far as the service counts, and its time is known', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a', 'C1');
    for (const [id, at] of [
      ['a1', 10],
      ['a2', 20],
      ['a3', 30],
    ] as const)
      await queue(store, id, 'a', at);
    await store.questions.begin('a3', 40);
    for (const id of ['a2', 'a3']) await store.questions.update(id, { state: 'failed' }, 50);
    const { nthBy, nthIn } = store.questions;
    expect([await nthBy('U1', 5, 1), await nthBy('U1', 5, 2), await nthBy('U1', 5, 3)]).toEqual([
      30,
      10,
      null,
    ]);
    expect([await nthIn('C1', 5, 2), await nthIn('C1', 10, 2), await nthIn('C2', 5, 1)]).toEqual([
      10,
      null,
      null,
    ]);
  });
});

describe('questions that are offered', () => {
  it('stand together in the order in which they were written, until they are asked', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await conversation(store, 'a');
    const late = (id: string, writtenAt: number) =>
      store.questions.add({
        id,
        conversation: 'a',
        asker: 'U1',
        text: id,
        createdAt: 50,
        writtenAt,
        offer: 'late:x',
      });
    for (const [id, at] of [
      ['y', 20],
      ['x', 20],
      ['w', 30],
      ['v', 10],
    ] as const)
      await late(id, at);
    const offered = async () => (await store.questions.offeredBy('late:x')).map(({ id }) => id);
    expect([await offered(), await store.questions.openOffer('a')]).toEqual([['v', 'x', 'y', 'w'], 'late:x']);
    expect(await next(store)).toEqual([]);
    for (const id of ['v', 'w', 'x', 'y']) await store.questions.askAgain(id, 60);
    expect([await offered(), await store.questions.openOffer('a')]).toEqual([[], null]);
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

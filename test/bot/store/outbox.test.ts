import { describe, expect, it } from 'vitest';
import { writeupIntent } from '../../../src/bot/store/intents/issue-intents.ts';
import { writeupKey } from '../../../src/bot/store/intents/keys.ts';
import { anIntent } from '../../support/intents.ts';
import { newIssue } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

describe('the outbox', () => {
  it('keeps one row a key, however often its message is wanted before it is sent', async () => {
    await using opened = await openTestStore();
    const { outbox } = opened.store;
    for (const at of [10, 20, 30]) await outbox.want(anIntent({ at }));
    expect(await outbox.due(10, 9)).toEqual([expect.objectContaining({ key: 'card:1', wanted: 3, done: 0 })]);
    await outbox.delivered('card:1', 3);
    expect(await outbox.due(1000, 9)).toEqual([]);
    expect(await outbox.countDue()).toBe(0);
  });

  it('is due again at once where more was wanted while it was being sent', async () => {
    await using opened = await openTestStore();
    const { outbox } = opened.store;
    await outbox.want(anIntent());
    await outbox.again('card:1');
    await outbox.delivered('card:1', 1);
    expect(await outbox.due(10, 9)).toEqual([expect.objectContaining({ wanted: 2, done: 1, state: 'due' })]);
  });

  it('counts the write-ups that are not there yet', async () => {
    await using opened = await openTestStore();
    const { outbox } = opened.store;
    expect(await outbox.countWriteups()).toBe(0);
    for (const id of ['a', 'b']) {
      await opened.store.issues.add(newIssue({ id, identity: id }));
      await outbox.want(writeupIntent({ id, channel: 'C1', threadTs: '1.0' }, 'asked', 10));
    }
    await outbox.want(anIntent());
    expect(await outbox.countWriteups()).toBe(2);
    await outbox.delivered(writeupKey('a', 'asked'), 1);
    expect(await outbox.countWriteups()).toBe(1);
  });

  it('wants no edit of a message that nobody asked for', async () => {
    await using opened = await openTestStore();
    await opened.store.outbox.again('card:1');
    expect(await opened.store.outbox.countDue()).toBe(0);
  });

  it('leaves dead what is dead, whoever wants it again', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await store.issues.add(newIssue());
    await store.outbox.want(anIntent({ issueId: 'issue-1' }));
    await store.outbox.dead('card:1', 'the channel is archived');
    await store.outbox.want(anIntent());
    await store.outbox.again('card:1');
    await store.outbox.refreshCards('issue-1');
    await store.outbox.delivered('card:1', 1);
    expect(await store.outbox.get('card:1')).toMatchObject({
      state: 'dead',
      error: 'the channel is archived',
    });
    expect(await store.outbox.due(1000, 9)).toEqual([]);
  });

  it('refreshes every card of one issue, and its results, and nothing else', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await store.issues.add(newIssue());
    await store.issues.add(newIssue({ id: 'issue-2', identity: null }));
    await store.outbox.want(anIntent({ key: 'card:1', issueId: 'issue-1' }));
    await store.outbox.want(anIntent({ key: 'card:1:elsewhere', issueId: 'issue-1', channel: 'C2' }));
    await store.outbox.want(anIntent({ key: 'result:1', kind: 'result', issueId: 'issue-1' }));
    await store.outbox.want(anIntent({ key: 'card:2', issueId: 'issue-2' }));
    for (const row of await store.outbox.due(10, 9)) await store.outbox.delivered(row.key, row.wanted);
    await store.outbox.refreshCards('issue-1');
    expect((await store.outbox.due(10, 9)).map((row) => row.key).sort()).toEqual([
      'card:1',
      'card:1:elsewhere',
      'result:1',
    ]);
  });

  it('hands out first answers and reactions, then cards, then results, each by age', async () => {
    await using opened = await openTestStore();
    const { outbox } = opened.store;
    await outbox.want(anIntent({ key: 'result:1', kind: 'result', at: 1 }));
    await outbox.want(anIntent({ key: 'card:b', kind: 'card', at: 3 }));
    await outbox.want(anIntent({ key: 'card:a', kind: 'card', at: 2 }));
    await outbox.want(anIntent({ key: 'answer:1', kind: 'answer', at: 4 }));
    expect((await outbox.due(4, 9)).map((row) => row.key)).toEqual([
      'answer:1',
      'card:a',
      'card:b',
      'result:1',
    ]);
    expect((await outbox.due(4, 2)).map((row) => row.key)).toEqual(['answer:1', 'card:a']);
  });

  it('hands out what a person waits for first, and then what has waited longest for its edit', async () => {
    await using opened = await openTestStore();
    const { outbox } = opened.store;
    for (const [name, at] of Object.entries({ a: 1, b: 2, c: 3 }))
      await outbox.want(anIntent({ key: `card:${name}`, at }));
    await outbox.delivered('card:a', 1, 20);
    await outbox.delivered('card:b', 1, 10);
    await outbox.again('card:a');
    await outbox.again('card:b');
    await outbox.want(anIntent({ key: 'card:urgent', urgent: true, at: 4 }));
    expect((await outbox.due(30, 9)).map((row) => row.key)).toEqual([
      'card:urgent',
      'card:c',
      'card:b',
      'card:a',
    ]);
  });

  it('lets a message rest before its next edit', async () => {
    await using opened = await openTestStore();
    const { outbox } = opened.store;
    await outbox.want(anIntent());
    await outbox.delivered('card:1', 1, 100, 4_000);
    await outbox.again('card:1');
    expect(await outbox.due(4_099, 9)).toEqual([]);
    expect(await outbox.due(4_100, 9)).toHaveLength(1);
  });

  it('holds back every post to a channel at once, but neither edits nor reactions nor other channels', async () => {
    await using opened = await openTestStore();
    const { outbox } = opened.store;
    for (const key of ['card:a', 'card:b', 'card:posted'] as const) await outbox.want(anIntent({ key }));
    await outbox.recordSent('card:posted', '[{"ts":"2.0","hash":""}]');
    await outbox.want(anIntent({ key: 'reaction:eyes', kind: 'reaction' }));
    await outbox.want(anIntent({ key: 'card:elsewhere', channel: 'C2' }));
    await outbox.holdPosts('C1', 500);
    const due = async (at: number) => (await outbox.due(at, 9)).map((row) => row.key).sort();
    expect(await due(499)).toEqual(['card:elsewhere', 'card:posted', 'reaction:eyes']);
    expect(await due(500)).toEqual(['card:a', 'card:b', 'card:elsewhere', 'card:posted', 'reaction:eyes']);
  });

  it('counts a failure as an attempt, and a wait for its turn as none', async () => {
    await using opened = await openTestStore();
    const { outbox } = opened.store;
    await outbox.want(anIntent());
    await outbox.postpone('card:1', 100, null);
    await outbox.postpone('card:1', 200, 'ratelimited');
    expect(await outbox.due(199, 9)).toEqual([]);
    expect(await outbox.due(200, 9)).toEqual([
      expect.objectContaining({ attempts: 1, error: 'ratelimited' }),
    ]);
  });

  it('hands out no message before its time, unless its issue releases it; one that Slack failed on still waits', async () => {
    await using opened = await openTestStore();
    const { outbox, issues } = opened.store;
    for (const id of ['issue-1', 'issue-2']) await issues.add(newIssue({ id, identity: `${id}@production` }));
    const about = { issueId: 'issue-1', notBefore: 2_500 };
    await outbox.want(anIntent({ key: 'card:waits', ...about }));
    await outbox.want(anIntent({ key: 'card:failed', ...about }));
    await outbox.want(anIntent({ key: 'card:other', ...about, issueId: 'issue-2' }));
    await outbox.postpone('card:failed', 2_500, 'ratelimited');
    const due = async (at: number) => (await outbox.due(at, 9)).map((row) => row.key).sort();
    expect(await due(2_499)).toEqual([]);
    expect(await outbox.untilNext(0)).toBe(2_500);
    await outbox.releaseCards('issue-1');
    expect(await due(2_499)).toEqual(['card:waits']);
    expect(await due(2_500)).toEqual(['card:failed', 'card:other', 'card:waits']);
  });

  it('knows of a message that may have started a thread, until its place is stored', async () => {
    await using opened = await openTestStore();
    const { outbox } = opened.store;
    const at = 1_000_000;
    await outbox.want(anIntent({ threadTs: null, at }));
    expect(await outbox.unplaced('C1', at)).toBeNull();
    await outbox.sending('card:1', 0);
    await outbox.postpone('card:1', at + 1_000, 'timeout');
    expect(await outbox.unplaced('C1', at)).toBe(at + 1_000);
    expect(await outbox.unplaced('C2', at)).toBeNull();
    // The thread is older than the message, whichever clock is wrong.
    expect(await outbox.unplaced('C1', at - 60_001)).toBeNull();
    await outbox.recordSent('card:1', '[{"ts":"1000.0"}]', 1);
    expect(await outbox.unplaced('C1', at)).toBeNull();
  });

  it('remembers which part may be in Slack already, until that is known', async () => {
    await using opened = await openTestStore();
    const { outbox } = opened.store;
    await outbox.want(anIntent());
    await outbox.sending('card:1', 2);
    expect(await outbox.get('card:1')).toMatchObject({ sending: 2, sent: '[]' });
    await outbox.recordSent('card:1', '[{"ts":"2.0"}]');
    expect(await outbox.get('card:1')).toMatchObject({ sending: null, sent: '[{"ts":"2.0"}]' });
  });

  it('says it elsewhere under the same key', async () => {
    await using opened = await openTestStore();
    const { outbox } = opened.store;
    await outbox.want(anIntent());
    await outbox.sending('card:1', 0);
    await outbox.redirect({ key: 'card:1', kind: 'card', payload: { insteadOf: 'C1' } }, 'D1');
    expect(await outbox.get('card:1')).toMatchObject({
      channel: 'D1',
      threadTs: null,
      payload: '{"insteadOf":"C1"}',
      sending: null,
      state: 'due',
    });
  });
});

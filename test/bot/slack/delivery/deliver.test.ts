import { describe, expect, it } from 'vitest';
import { deliver } from '../../../../src/bot/slack/delivery/deliver.ts';
import { addCreated, newIssue, theIssue } from '../../../support/issues.ts';
import { CHANNEL, delivering, inThread, KEY, ROOT, words } from '../support/delivering.ts';

describe('a wanted message', () => {
  it('is posted once, with its key in its metadata and nothing that could ping', async () => {
    const d = await delivering();
    await d.want();
    await d.work();
    await d.after(60_000);

    expect(d.slack.calls).toEqual([
      {
        method: 'chat.postMessage',
        at: Date.parse('2026-03-17T12:00:00Z'),
        args: {
          channel: CHANNEL,
          thread_ts: ROOT,
          text: 'hello',
          blocks: JSON.stringify(words('hello').blocks),
          metadata: '{"event_type":"gumshoe_message","event_payload":{"key":"card:issue-1#0"}}',
          unfurl_links: 'false',
          unfurl_media: 'false',
          link_names: 'false',
        },
      },
    ]);
    expect(await d.row()).toMatchObject({ state: 'idle', done: 1, wanted: 1, sending: null, error: null });
  });

  it('is shown in the channel too, its first part alone, where it is to be broadcast; edits do not say it again', async () => {
    const d = await delivering();
    d.content = { ...inThread('one', 'two'), broadcast: true };
    await d.want();
    await d.work();
    await d.after(2_000);
    d.content = { ...inThread('one, edited', 'two'), broadcast: true };
    await d.want();
    await d.after(2_000);
    expect(
      d.slack.calls.map(({ method, args }) => [method, args.text, args.thread_ts, args.reply_broadcast]),
    ).toEqual([
      ['chat.postMessage', 'one', ROOT, 'true'],
      ['chat.postMessage', 'two', ROOT, undefined],
      ['chat.update', 'one, edited', undefined, undefined],
    ]);
  });

  it('is edited in place when it is wanted again with other words', async () => {
    const d = await delivering();
    await d.want();
    await d.work();
    d.content = inThread('hello again');
    await d.want();
    await d.after(2_000);

    expect(d.slack.methods()).toEqual(['chat.postMessage', 'chat.update']);
    expect(d.slack.messages().map(({ text }) => text)).toEqual(['hello again']);
  });

  it('that changed many times before it could be sent is edited once, to the newest', async () => {
    const d = await delivering();
    await d.want();
    await d.work();
    for (const n of [1, 2, 3, 4]) {
      d.content = inThread(`state ${n}`);
      await d.want();
    }
    await d.after(2_000);
    await d.after(2_000);

    expect(d.slack.calls.map(({ method, args }) => `${method} ${args.text}`)).toEqual([
      'chat.postMessage hello',
      'chat.update state 4',
    ]);
    expect(await d.row()).toMatchObject({ state: 'idle', wanted: 5, done: 5 });
  });

  it('that looks the same as it stands is not sent again', async () => {
    const d = await delivering();
    await d.want();
    await d.work();
    await d.want();
    await d.after(2_000);

    expect(d.slack.methods()).toEqual(['chat.postMessage']);
    expect(await d.row()).toMatchObject({ state: 'idle', done: 2 });
  });

  it('that is wanted again while it is being sent stays due', async () => {
    const d = await delivering({ checkpoint: (name) => (name === 'card: sent' ? d.want() : undefined) });
    await d.want();
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'due', wanted: 2, done: 1 });
  });

  it('waits half a second for the message it belongs under, and that is no attempt', async () => {
    const d = await delivering();
    d.content = { kind: 'later' };
    await d.want();
    await d.work();
    expect(await d.row()).toMatchObject({
      state: 'due',
      attempts: 0,
      nextAt: d.clock.now() + 500,
      error: null,
    });
    expect(d.slack.calls).toEqual([]);

    d.content = inThread('now');
    await d.after(500);
    expect(d.slack.messages().map(({ text }) => text)).toEqual(['now']);
  });

  it('about which there is nothing to say any more is done without a call', async () => {
    const d = await delivering();
    d.content = { kind: 'nothing' };
    await d.want();
    await d.work();
    expect(d.slack.calls).toEqual([]);
    expect(await d.row()).toMatchObject({ state: 'idle' });
  });

  it('that cannot be rendered is tried again later, with the reason kept', async () => {
    const d = await delivering();
    d.content = () => Promise.reject(new Error('the artifacts are no list'));
    await d.want();
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'due', attempts: 1, error: 'the artifacts are no list' });
  });

  it('whose rows cannot be read is tried for a while, and then given up', async () => {
    const d = await delivering();
    d.content = async () => JSON.parse('{');
    await d.want();
    await d.work();
    for (let minutes = 0; minutes < 12; minutes += 1) await d.after(61_000);
    expect(await d.row()).toMatchObject({ state: 'due', attempts: 13 });
    for (let minutes = 0; minutes < 12; minutes += 1) await d.after(61_000);
    expect(await d.row()).toMatchObject({ state: 'dead', error: 'unreadable' });
  });
});

describe('a message in parts', () => {
  it('starts its thread with the first and puts the rest below it, a second apart', async () => {
    const d = await delivering();
    d.content = {
      kind: 'messages',
      parts: ['one', 'two', 'three'].map(words),
      channel: CHANNEL,
      threadTs: null,
    };
    await d.want({ threadTs: null });
    await d.work();
    await d.after(1_050);
    await d.after(1_050);

    const [first] = d.slack.messages();
    expect(d.slack.messages().map(({ text, thread_ts }) => [text, thread_ts])).toEqual([
      ['one', first?.ts],
      ['two', first?.ts],
      ['three', first?.ts],
    ]);
    expect(await d.row()).toMatchObject({ state: 'idle', attempts: 0 });
  });

  it('edits only the part that changed, and posts one that was added', async () => {
    const d = await delivering();
    d.content = inThread('one', 'two');
    await d.want();
    await d.work();
    await d.after(1_050);
    d.content = inThread('one', 'two, longer', 'three');
    await d.want();
    await d.after(1_050);

    expect(d.slack.calls.map(({ method, args }) => `${method} ${args.text}`)).toEqual([
      'chat.postMessage one',
      'chat.postMessage two',
      'chat.update two, longer',
      'chat.postMessage three',
    ]);
  });
});

describe('the place of a message', () => {
  it('of a command is where the issue lives from then on', async () => {
    const d = await delivering();
    await d.store.issues.add(newIssue({ channel: CHANNEL, threadTs: null }));
    d.content = { kind: 'messages', parts: [words('card')], channel: CHANNEL, threadTs: null };
    await d.want({ threadTs: null, issueId: 'issue-1' });
    await d.work();
    expect((await theIssue(d.store)).threadTs).toBe(d.slack.messages()[0]?.ts);
  });

  it('under an alert stays the alert’s thread', async () => {
    const d = await delivering();
    await addCreated(d.store, d.clock.now(), { channel: CHANNEL, threadTs: ROOT });
    await d.want({ issueId: 'issue-1' });
    await d.work();
    expect((await theIssue(d.store)).threadTs).toBe(ROOT);
  });

  it('of an answer to a command is the thread of its conversation', async () => {
    const d = await delivering();
    const at = d.clock.now();
    const start = {
      id: 'c1',
      channel: CHANNEL,
      threadTs: null,
      issueId: null,
      startedBy: 'U1',
      createdAt: at,
    };
    await d.store.conversations.start(start);
    await d.store.questions.add({ id: 'q1', conversation: 'c1', asker: 'U1', text: 'why?', createdAt: at });
    d.content = { kind: 'messages', parts: [words('thinking')], channel: CHANNEL, threadTs: null };
    await d.want({ key: 'answer:q1', kind: 'answer', threadTs: null, questionId: 'q1' });
    await d.work();
    expect((await d.store.conversations.byThread(CHANNEL, d.slack.messages()[0]?.ts ?? ''))?.id).toBe('c1');
  });

  it('is kept in the same transaction as the record of the message', async () => {
    const d = await delivering();
    await d.want();
    const failing = { ...d.options, onPlaced: () => Promise.reject(new Error('disk full')) };
    await deliver(await d.row(), failing);
    expect(await d.row()).toMatchObject({ sent: '[]', sending: 0, error: 'disk full' });

    await d.after(1_050);
    expect(d.slack.messages()).toHaveLength(1);
  });
});

describe('a reaction', () => {
  const eyes = { kind: 'reaction', ts: ROOT, name: 'eyes' } as const;

  it('is put on its message', async () => {
    const d = await delivering();
    d.content = eyes;
    await d.want({ kind: 'reaction' });
    await d.work();
    expect(d.slack.calls.map(({ method, args }) => ({ method, args }))).toEqual([
      { method: 'reactions.add', args: { channel: CHANNEL, timestamp: ROOT, name: 'eyes' } },
    ]);
    expect(await d.row(KEY)).toMatchObject({ state: 'idle' });
  });

  it('gives way to another once that is what it comes to, and comes back; what has not changed is not sent', async () => {
    const d = await delivering();
    d.content = eyes;
    await d.want({ kind: 'reaction' });
    await d.work();
    for (const name of ['tada', 'tada', 'eyes']) {
      d.content = { ...eyes, name };
      await d.want({ kind: 'reaction' });
      await d.work();
    }
    expect(d.slack.calls.map(({ method, args }) => [method, args?.name])).toEqual([
      ['reactions.add', 'eyes'],
      ['reactions.add', 'tada'],
      ['reactions.remove', 'eyes'],
      ['reactions.add', 'eyes'],
      ['reactions.remove', 'tada'],
    ]);
  });

  it('that the process put there just before it ended gives way, too', async () => {
    const d = await delivering();
    d.content = eyes;
    await d.want({ kind: 'reaction' });
    await d.work();
    d.content = { ...eyes, name: 'tada' };
    await d.want({ kind: 'reaction' });
    const ends = { ...d.options, checkpoint: (name: string) => failAt(name, 'reaction: sent') };
    await deliver(await d.row(), ends);
    d.content = { ...eyes, name: 'shrug' };
    await d.want({ kind: 'reaction' });
    await d.after(60_000);
    expect(d.slack.calls.map(({ method, args }) => [method, args?.name])).toEqual([
      ['reactions.add', 'eyes'],
      ['reactions.add', 'tada'],
      ['reactions.add', 'shrug'],
      ['reactions.remove', 'eyes'],
      ['reactions.remove', 'tada'],
    ]);
  });

  it('that stands there already is done', async () => {
    const d = await delivering();
    d.content = eyes;
    d.slack.next('reactions.add', { error: 'already_reacted' });
    await d.want({ kind: 'reaction' });
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'idle', error: null });
  });

  it('on a message that is gone is given up', async () => {
    const d = await delivering();
    d.content = eyes;
    d.slack.next('reactions.add', { error: 'message_not_found' });
    await d.want({ kind: 'reaction' });
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'dead', error: 'message_not_found' });
  });
});

async function failAt(name: string, checkpoint: string): Promise<void> {
  if (name === checkpoint) throw new Error('the process ends here');
}

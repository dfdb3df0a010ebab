import { describe, expect, it } from 'vitest';
import { takeMessage } from '../../../../src/bot/slack/features/alerts/messages.ts';
import { ChannelSettings } from '../../../../src/bot/store/channel-settings.ts';
import { lateKey } from '../../../../src/bot/store/intents/keys.ts';
import { backfilling, type Past, toolMessage, WATCHED } from '../support/backfilling.ts';

type Backfilling = Awaited<ReturnType<typeof backfilling>>;

const ELSEWHERE = 'C0OTHER';

function says(ts: string, thread_ts: string, text: string, more: object = {}): Past {
  return { type: 'message', user: 'U0ALICE', ts, thread_ts, text, ...more };
}

/** A thread in which somebody asked the agent so many minutes ago. */
async function conversation(b: Backfilling, minutes: number, channel = ELSEWHERE, threadTs = '5.000000') {
  await b.store.conversations.start({
    id: `${channel}:${threadTs}`,
    channel,
    threadTs: threadTs,
    issueId: null,
    startedBy: 'U0ALICE',
    createdAt: b.clock.now() - minutes * 60_000,
  });
}

async function questions(b: Backfilling): Promise<string[]> {
  const found = await b.store.outbox.due(b.clock.now(), 1_000);
  const ids = found.flatMap(({ questionId }) => (questionId === null ? [] : [questionId]));
  const all = await Promise.all(ids.map((id) => b.store.questions.get(id)));
  return all.map((question) => question?.text ?? '').sort();
}

function repliesRead(b: Backfilling): (string | undefined)[] {
  return b.slack.calls.flatMap(({ method, args }) => (method === 'conversations.replies' ? [args.ts] : []));
}

/** The thread of an alert that was filed live. */
async function alertThread(b: Backfilling): Promise<string> {
  await b.store.channels.watch(WATCHED, ChannelSettings.parse({}), b.minutesAgo(60));
  const root = toolMessage(b.minutesAgo(30), 'DiskFull');
  await takeMessage({ ...root, channel: WATCHED, channel_type: 'channel' }, b.deps.listeners);
  b.past.set(WATCHED, [root]);
  return root.ts;
}

describe('a reply of a person that was missed', () => {
  it('continues with the conversation of its thread, in a channel that is not watched too', async () => {
    const b = await backfilling();
    await conversation(b, 30);
    b.threads.set(`${ELSEWHERE} 5.000000`, [
      says(b.minutesAgo(20), '5.000000', 'is checkout well?'),
      says(b.minutesAgo(19), '5.000000', 'thanks!'),
      says(b.minutesAgo(18), '5.000000', '<@U0BOB> have a look'),
      says(b.minutesAgo(17), '5.000000', 'our own', { user: 'U0BOT', bot_id: 'B0BOT' }),
    ]);
    await b.read();
    expect(await questions(b)).toEqual(['is checkout well?']);
  });

  it('that was taken when it came is not asked twice, nor after a second gap', async () => {
    const b = await backfilling();
    await conversation(b, 30);
    const taken = says(b.minutesAgo(20), '5.000000', 'is checkout well?');
    await takeMessage({ ...taken, channel: ELSEWHERE, channel_type: 'channel' }, b.deps.listeners);
    b.threads.set(`${ELSEWHERE} 5.000000`, [taken, says(b.minutesAgo(10), '5.000000', 'and payments?')]);
    await b.read();
    await b.read();
    expect(await questions(b)).toEqual(['and payments?', 'is checkout well?']);
    expect(await b.metrics.text()).toContain('gumshoe_backfilled_messages_total{outcome="taken"} 1');
  });

  it('from before the conversation began is what people said to each other', async () => {
    const b = await backfilling();
    await conversation(b, 10);
    b.threads.set(`${ELSEWHERE} 5.000000`, [says(b.minutesAgo(20), '5.000000', 'who is on call?')]);
    await b.read();
    expect(await questions(b)).toEqual([]);
  });

  it('that mentions us in the thread of a firing issue starts a conversation, which later replies continue', async () => {
    const b = await backfilling();
    const root = await alertThread(b);
    b.threads.set(`${WATCHED} ${root}`, [
      says(b.minutesAgo(20), root, 'who is on call?'),
      says(b.minutesAgo(15), root, '<@U0BOT> what changed?'),
      says(b.minutesAgo(10), root, 'and before that?'),
    ]);
    await b.read();
    expect(await questions(b)).toEqual(['and before that?', 'what changed?']);
    await b.read();
    expect(await questions(b)).toEqual(['and before that?', 'what changed?']);
  });

  it('in a direct message is a question as well', async () => {
    const b = await backfilling();
    await conversation(b, 30, 'D0ALICE');
    b.threads.set('D0ALICE 5.000000', [says(b.minutesAgo(20), '5.000000', 'what is open?')]);
    await b.read();
    expect(await questions(b)).toEqual(['what is open?']);
  });
});

describe('a reply of a person that was missed long ago', () => {
  const HOUR = 60;

  it('is offered to be answered, with others of its thread in one line', async () => {
    const b = await backfilling();
    await conversation(b, 50 * HOUR);
    const [first, second, recent] = [b.minutesAgo(40 * HOUR), b.minutesAgo(61), b.minutesAgo(59)];
    b.threads.set(`${ELSEWHERE} 5.000000`, [
      says(first, '5.000000', 'is checkout well?'),
      says(second, '5.000000', 'and payments?'),
      says(recent, '5.000000', 'and search?'),
    ]);
    await b.read();
    const key = lateKey(`${ELSEWHERE}:${first}`);
    expect(await b.store.questions.offeredBy(key)).toMatchObject([
      { text: 'is checkout well?', state: 'late' },
      { text: 'and payments?', state: 'late' },
    ]);
    expect(await b.store.outbox.get(key)).toMatchObject({ kind: 'aside', threadTs: '5.000000' });
    expect(await questions(b)).toEqual(['and search?']);
  });

  it('in a thread where we were told to listen no more is people’s own', async () => {
    const b = await backfilling();
    await conversation(b, 50 * HOUR);
    await b.store.conversations.listen(`${ELSEWHERE}:5.000000`, false, b.clock.now() - HOUR * 60_000);
    b.threads.set(`${ELSEWHERE} 5.000000`, [says(b.minutesAgo(20), '5.000000', 'is checkout well?')]);
    await b.read();
    expect(await questions(b)).toEqual([]);
  });

  it('but was heard when it came, and was no question, is none afterwards', async () => {
    const b = await backfilling();
    await conversation(b, 50 * HOUR);
    const receivedAt = b.clock.now() - 30 * 60_000;
    await b.store.inbox.add([{ key: 'k', body: '{}', receivedAt }]);
    b.threads.set(`${ELSEWHERE} 5.000000`, [
      says(b.minutesAgo(40), '5.000000', 'said while it did not listen'),
      says(b.minutesAgo(20), '5.000000', 'is checkout well?'),
    ]);
    await b.read();
    expect(await questions(b)).toEqual(['is checkout well?']);
  });
});

describe('a mention at top level that was missed', () => {
  it('begins a thread, whose missed replies go on with it', async () => {
    const b = await backfilling();
    await b.store.channels.watch(WATCHED, ChannelSettings.parse({}), b.minutesAgo(60));
    const root = b.minutesAgo(30);
    b.past.set(WATCHED, [says(root, root, '<@U0BOT> what is slow?')]);
    b.threads.set(`${WATCHED} ${root}`, [says(b.minutesAgo(20), root, 'and since when?')]);
    await b.read();
    expect(await questions(b)).toEqual(['and since when?', 'what is slow?']);
  });
});

describe('a reply of a tool that was missed', () => {
  it('is decided on: its alert recovers', async () => {
    const b = await backfilling();
    const root = await alertThread(b);
    const reply = { ...toolMessage(b.minutesAgo(5), 'DiskFull', 'RESOLVED'), thread_ts: root };
    b.threads.set(`${WATCHED} ${root}`, [reply]);
    await b.read();
    expect(await b.store.alerts.find(WATCHED, reply.ts)).toMatchObject({
      decision: 'recovered',
      threadTs: root,
    });
  });

  it('from before the gap was decided on when it came, or the channel was not watched', async () => {
    const b = await backfilling();
    const root = await alertThread(b);
    await b.store.channels.seen(WATCHED, b.minutesAgo(10));
    const reply = { ...toolMessage(b.minutesAgo(20), 'DiskFull', 'RESOLVED'), thread_ts: root };
    b.threads.set(`${WATCHED} ${root}`, [reply]);
    await b.read();
    expect(await b.store.alerts.find(WATCHED, reply.ts)).toBeNull();
  });
});

describe('threads', () => {
  it('are read only where something went on in the last seven days', async () => {
    const b = await backfilling();
    const week = 7 * 24 * 60;
    await conversation(b, week - 1, ELSEWHERE, '5.000000');
    await conversation(b, week + 1, ELSEWHERE, '6.000000');
    await b.read();
    expect(repliesRead(b)).toEqual(['5.000000']);
  });

  it('are at most a hundred, those with the newest first', async () => {
    const b = await backfilling();
    for (let n = 0; n < 120; n += 1) await conversation(b, 50 - n / 10, ELSEWHERE, `${1000 + n}.000000`);
    const root = await alertThread(b);
    await b.read();
    const read = repliesRead(b);
    expect(read).toHaveLength(100);
    expect([read[0], read[1], read.at(-1)]).toEqual([root, '1119.000000', '1021.000000']);
  });

  it('that cannot be read hold up no other', async () => {
    const b = await backfilling();
    await conversation(b, 30, ELSEWHERE, '5.000000');
    await conversation(b, 40, ELSEWHERE, '6.000000');
    b.threads.set(`${ELSEWHERE} 6.000000`, [says(b.minutesAgo(20), '6.000000', 'is checkout well?')]);
    b.slack.next('conversations.replies', { error: 'thread_not_found' });
    await b.read();
    expect(await questions(b)).toEqual(['is checkout well?']);
  });
});

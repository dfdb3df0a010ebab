import { describe, expect, it } from 'vitest';
import { backfilling, type Past } from '../support/backfilling.ts';

type Backfilling = Awaited<ReturnType<typeof backfilling>>;

const DAY = 24 * 60;

function says(ts: string, text: string, more: object = {}): Past {
  return { type: 'message', user: 'U0ALICE', ts, text, ...more };
}

/** A person who asked something in their direct message so many minutes ago; the bot last heard anything then. */
async function person(b: Backfilling, minutes: number, channel = 'D0ALICE') {
  const threadTs = b.minutesAgo(minutes);
  await b.store.conversations.start({
    id: `${channel}:${threadTs}`,
    channel,
    threadTs: threadTs,
    issueId: null,
    startedBy: 'U0ALICE',
    createdAt: b.clock.now() - minutes * 60_000,
  });
  return threadTs;
}

async function heard(b: Backfilling, minutes: number) {
  await b.store.inbox.add([{ key: `k${minutes}`, body: '{}', receivedAt: b.clock.now() - minutes * 60_000 }]);
}

async function question(b: Backfilling, ts: string, channel = 'D0ALICE') {
  const found = await b.store.questions.get(`${channel}:${ts}`);
  return found && { text: found.text, state: found.state, asker: found.asker };
}

function historiesRead(b: Backfilling): (string | undefined)[] {
  return b.slack.calls.flatMap(({ method, args }) =>
    method === 'conversations.history' ? [args.channel] : [],
  );
}

describe('a direct message that was missed', () => {
  it('is asked, or offered to be answered where it is older than an hour', async () => {
    const b = await backfilling();
    await person(b, 3 * DAY);
    await heard(b, 3 * DAY);
    const [late, recent] = [b.minutesAgo(2 * DAY), b.minutesAgo(20)];
    b.past.set('D0ALICE', [
      says(late, 'what broke?'),
      says(recent, 'what is open?'),
      says(b.minutesAgo(19), 'thanks'),
      says(b.minutesAgo(18), 'our own', { user: 'U0BOT', bot_id: 'B0BOT' }),
    ]);
    await b.read();
    expect(await question(b, late)).toEqual({ text: 'what broke?', state: 'late', asker: 'U0ALICE' });
    expect(await question(b, recent)).toEqual({ text: 'what is open?', state: 'queued', asker: 'U0ALICE' });
    expect(await b.store.outbox.get(`late:D0ALICE:${late}`)).toMatchObject({
      kind: 'aside',
      threadTs: late,
    });
    expect(await b.metrics.text()).toContain('gumshoe_backfilled_messages_total{outcome="taken"} 3');
  });

  it('is taken once, and one that was taken when it came is not taken again', async () => {
    const b = await backfilling();
    await person(b, 60);
    await heard(b, 30);
    b.past.set('D0ALICE', [says(b.minutesAgo(40), 'said before'), says(b.minutesAgo(20), 'what is open?')]);
    await b.read();
    await b.read();
    expect(await question(b, b.minutesAgo(40))).toBeNull();
    expect(await question(b, b.minutesAgo(20))).toMatchObject({ state: 'queued' });
    expect(await b.metrics.text()).toContain('gumshoe_backfilled_messages_total{outcome="taken"} 1');
  });

  it('of long ago is no longer answered', async () => {
    const b = await backfilling();
    await person(b, 60);
    b.past.set('D0ALICE', [says(b.minutesAgo(7 * DAY + 1), 'what broke?')]);
    await b.read();
    expect(await question(b, b.minutesAgo(7 * DAY + 1))).toBeNull();
  });

  it('in a thread of the pane, opened before and not asked in yet, is asked', async () => {
    const b = await backfilling();
    await person(b, 60);
    await heard(b, 30);
    const [root, ts] = [b.minutesAgo(31), b.minutesAgo(20)];
    const opened = { user: 'U0BOT', bot_id: 'B0BOT', thread_ts: root, latest_reply: ts };
    b.past.set('D0ALICE', [says(root, 'New thread', opened)]);
    b.threads.set(`D0ALICE ${root}`, [says(ts, 'what is open?', { thread_ts: root })]);
    await b.read();
    expect(await question(b, ts)).toMatchObject({ state: 'queued' });
    expect(await b.store.conversations.byThread('D0ALICE', root)).toMatchObject({ listening: true });
  });

  it('in a thread that we know is read with all threads, once', async () => {
    const b = await backfilling();
    const root = await person(b, 25);
    await heard(b, 30);
    const ts = b.minutesAgo(20);
    b.past.set('D0ALICE', [says(root, 'what is slow?', { thread_ts: root, latest_reply: ts })]);
    b.threads.set(`D0ALICE ${root}`, [says(ts, 'and now?', { thread_ts: root })]);
    await b.read();
    expect(await question(b, ts)).toMatchObject({ state: 'queued' });
    expect(b.slack.methods().filter((method) => method === 'conversations.replies')).toHaveLength(1);
  });
});

describe('direct messages', () => {
  it('are read of thirty people, those who asked last', async () => {
    const b = await backfilling();
    for (let n = 1; n <= 40; n += 1) await person(b, n, `D${100 + n}`);
    await b.read();
    const read = historiesRead(b);
    expect([read.length, read[0], read.at(-1)]).toEqual([30, 'D101', 'D130']);
  });

  it('are not read of whom nobody heard for a week', async () => {
    const b = await backfilling();
    await person(b, 7 * DAY + 1);
    await b.read();
    expect(historiesRead(b)).toEqual([]);
  });

  it('that cannot be read hold up nobody else’s', async () => {
    const b = await backfilling();
    await person(b, 10, 'D0BOB');
    await person(b, 20);
    b.past.set('D0ALICE', [says(b.minutesAgo(5), 'what is open?')]);
    b.slack.next('conversations.history', { error: 'channel_not_found' });
    await b.read();
    expect(await question(b, b.minutesAgo(5))).toMatchObject({ state: 'queued' });
    expect(b.warnings).toEqual([{ channel: 'D0BOB', reason: 'channel_not_found' }]);
    expect(await b.store.flags.unheardSince()).toBeNull();
  });

  it('that Slack fails to give for now are read again', async () => {
    const b = await backfilling();
    await person(b, 20);
    await heard(b, 30);
    b.past.set('D0ALICE', [says(b.minutesAgo(5), 'what is open?')]);
    b.slack.next('conversations.history', ...Array.from({ length: 5 }, () => ({ status: 500 })));
    await expect(b.read()).rejects.toThrow();
    expect(await b.store.flags.unheardSince()).toBe(Date.parse('2026-03-17T11:30:00Z'));
    await heard(b, 0);
    await b.read();
    const asked = await b.store.questions.next(10);
    expect(asked.map(({ text }) => text)).toEqual(['what is open?']);
    expect(await b.store.flags.unheardSince()).toBeNull();
  });
});

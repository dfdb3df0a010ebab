import { describe, expect, it } from 'vitest';
import { addCreated, theIssue } from '../../../../support/issues.ts';
import { BOT } from '../../support/deps.ts';
import { listening } from '../../support/listening.ts';

const ALERT = {
  type: 'message',
  ts: '10.000000',
  username: 'Tool',
  bot_id: 'B0TOOL',
  text: '[FIRING:1] disk is full',
};

/** A reaction as Slack tells of it, on a channel whose history holds these messages. */
async function reacting(history: object[] = [ALERT], replies: object[] = []) {
  const l = await listening();
  l.slack.answers('conversations.history', { messages: history });
  l.slack.answers('conversations.replies', { messages: replies });
  const react = (more: Record<string, unknown> = {}) =>
    l.event({
      type: 'reaction_added',
      user: 'U1',
      reaction: 'mag',
      item: { type: 'message', channel: 'C0OTHER', ts: '10.000000' },
      item_user: 'U0TOOL',
      event_ts: '11.0',
      ...more,
    });
  const filed = () => l.store.issues.pending(l.clock.now(), 10);
  const ephemerals = () =>
    l.slack.calls
      .filter(({ method }) => method === 'chat.postEphemeral')
      .map(({ args }) => ({ user: args.user, text: args.text, thread: args.thread_ts }));
  return { ...l, react, filed, ephemerals };
}

describe('🔍 on a message', () => {
  it.each(['mag', 'mag_right'])('(%s) files it, in a channel that is not watched too', async (reaction) => {
    const r = await reacting();
    await r.react({ reaction });
    expect(await r.filed()).toMatchObject([
      {
        channel: 'C0OTHER',
        threadTs: '10.000000',
        requestedBy: 'U1',
        title: expect.stringMatching(/disk is full/i),
      },
    ]);
    expect(await r.store.outbox.get('reaction:C0OTHER:10.000000:eyes')).toMatchObject({ state: 'due' });
    expect(r.woken).toEqual(['filed', 'outbox', 'sessions', 'timers']);
    expect(r.ephemerals()).toEqual([]);
  });

  it('of a person who reports nothing files their words', async () => {
    const text = 'has anybody seen\n*checkout* today?';
    const r = await reacting([{ type: 'message', ts: '10.000000', user: 'U2', text }]);
    await r.react();
    const [issue] = await r.filed();
    expect(issue?.title).toBe('has anybody seen');
    expect(JSON.parse(issue?.request ?? '').description).toMatch(
      /^has anybody seen\n\*\*checkout\*\* today\?/,
    );
  });

  it('in a thread files the reply, with its card in that thread', async () => {
    const root = { type: 'message', ts: '9.000000', user: 'U2', text: 'anything new?' };
    const reply = { ...ALERT, thread_ts: '9.000000' };
    const r = await reacting([root], [root, reply]);
    await r.react();
    expect(await r.filed()).toMatchObject([{ threadTs: '9.000000' }]);
  });

  it('twice, delivered again, or of two people is one issue; the second is told which', async () => {
    const r = await reacting();
    await r.react();
    await r.react({ user: 'U2' });
    await r.react();
    expect(await r.filed()).toMatchObject([{ repeats: 0, requestedBy: 'U1' }]);
    expect(r.ephemerals()).toMatchObject([
      { user: 'U2', text: expect.stringMatching(/^Already filed: /) },
      { user: 'U1' },
    ]);
  });

  it('whose alert has an open issue is counted there, and the person is told its number', async () => {
    const r = await reacting();
    await r.react();
    const [issue] = await r.filed();
    await r.store.issues.rewrite(issue?.id ?? '', { state: 'created', number: 12 });
    r.slack.answers('conversations.history', { messages: [{ ...ALERT, ts: '20.000000' }] });
    await r.react({ item: { type: 'message', channel: 'C0OTHER', ts: '20.000000' } });
    expect(await theIssue(r.store, issue?.id)).toMatchObject({ repeats: 1 });
    expect(r.ephemerals()).toMatchObject([{ text: expect.stringMatching(/#12/) }]);
  });

  it('names of an issue in a private channel elsewhere no more than its number and status', async () => {
    const r = await reacting();
    await r.react();
    const [{ identity } = { identity: null }] = await r.filed();
    await r.store.issues.rewrite((await r.filed())[0]?.id ?? '', {
      isOpen: false,
      identity: null,
      state: 'gone',
    });
    await addCreated(r.store, r.clock.now(), {
      identity,
      channel: 'C0SECRET',
      number: 7,
      title: 'Merger at risk',
    });
    await r.react();
    expect(r.ephemerals()).toEqual([{ user: 'U1', text: 'Already filed: #7 · 🔍 Investigating' }]);
  });

  it.each([
    ['another emoji', { reaction: 'eyes' }, [ALERT]],
    ['our own emoji', { user: BOT.botUserId }, [ALERT]],
    ['on a file', { item: { type: 'file', file: 'F1' } }, [ALERT]],
    ['on a message of ours', {}, [{ ...ALERT, bot_id: BOT.botId }]],
    ['on a message that is gone', {}, []],
  ])('%s does nothing', async (_what, more, history) => {
    const r = await reacting(history);
    await r.react(more);
    expect({ filed: await r.filed(), ephemerals: r.ephemerals() }).toEqual({ filed: [], ephemerals: [] });
  });

  it('where Slack cannot be asked fails, so that the inbox tries again', async () => {
    const r = await reacting();
    r.slack.next('conversations.history', { status: 429, retryAfter: 3 });
    await expect(r.react()).rejects.toThrow();
    await r.react();
    expect(await r.filed()).toHaveLength(1);
  });
});

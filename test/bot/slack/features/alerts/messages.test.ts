import { describe, expect, it } from 'vitest';
import { BOT } from '../../support/deps.ts';
import { listening } from '../../support/listening.ts';

const WATCHED = 'C0WATCHED';
const alert = { username: 'Tool', text: '[FIRING:1] disk is full', subtype: 'bot_message', bot_id: 'B0TOOL' };

/** A message event in a watched channel. */
const message = (more: Record<string, unknown>) => ({
  type: 'message',
  channel: WATCHED,
  ts: '10.0',
  ...more,
});

/** What anybody could notice of a delivery: decisions, questions, what is to be said. */
async function traces(l: Awaited<ReturnType<typeof listening>>) {
  const decided = [...(await l.metrics.text()).matchAll(/^gumshoe_alerts_total\{decision="(\w+)"/gmu)];
  return {
    decided: decided.map(([, decision]) => decision),
    question: (await l.store.questions.next(10)).map(({ id, text }) => ({ id, text })),
    due: await l.store.outbox.countDue(),
    said: l.slack.methods(),
  };
}

const nothing = { decided: [], question: [], due: 0, said: [] };

describe('a message of our own', () => {
  it.each([
    ['with our bot id', message({ bot_id: BOT.botId, text: 'x' })],
    ['with our user id', message({ user: BOT.botUserId, text: 'x' })],
    ['as a bot message', message({ ...alert, bot_id: BOT.botId })],
    [
      'in a DM',
      message({ channel: 'D1', channel_type: 'im', user: BOT.botUserId, bot_id: BOT.botId, text: 'x?' }),
    ],
    [
      'that was edited',
      message({ subtype: 'message_changed', message: { ...alert, bot_id: BOT.botId, ts: '9.0' } }),
    ],
    [
      'that was edited, by its user id alone',
      message({ subtype: 'message_changed', message: { user: BOT.botUserId, ts: '9.0', text: 'x' } }),
    ],
    ['that was deleted', message({ subtype: 'message_deleted', deleted_ts: '9.0', previous_message: alert })],
    ['in a thread', message({ thread_ts: '1.0', user: BOT.botUserId, bot_id: BOT.botId, text: 'x?' })],
    ['that mentions us', { ...message({ bot_id: BOT.botId, text: '<@U0BOT> why?' }), type: 'app_mention' }],
  ])('%s is left alone', async (_shape, event) => {
    const l = await listening();
    await l.event(event);
    expect(await traces(l)).toEqual(nothing);
  });
});

describe('a tool’s message in a watched channel', () => {
  it('is filed', async () => {
    const l = await listening();
    await l.event(message(alert));
    expect(await traces(l)).toMatchObject({ decided: ['filed'], due: 2 });
    expect(l.woken).toEqual(['filed', 'outbox', 'sessions', 'timers']);
    expect(await l.store.issues.pending(l.clock.now(), 10)).toMatchObject([
      { channel: WATCHED, threadTs: '10.0', title: expect.stringContaining('disk is full') },
    ]);
  });

  it('is one issue although it is edited afterwards', async () => {
    const l = await listening();
    await l.event(message(alert));
    const edited = { ...alert, ts: '10.0', edited: { user: 'B0TOOL', ts: '11.0' } };
    await l.event(message({ ts: '11.0', subtype: 'message_changed', message: edited }));
    const issues = await l.store.issues.pending(l.clock.now(), 10);
    expect(issues.map(({ repeats, threadTs }) => ({ repeats, threadTs }))).toEqual([
      { repeats: 0, threadTs: '10.0' },
    ]);
  });

  it('is nobody’s business in a channel that is not watched', async () => {
    const l = await listening();
    await l.event(message({ ...alert, channel: 'C0OTHER' }));
    expect(await traces(l)).toEqual(nothing);
  });
});

describe('a person’s message', () => {
  it('in a thread that is not ours is left alone, in a watched channel too', async () => {
    const l = await listening();
    await l.event(message({ thread_ts: '1.0', user: 'U1', text: 'is anybody looking?' }));
    expect(await traces(l)).toEqual(nothing);
  });
});

describe('an event that cannot be used', () => {
  it.each([
    ['a message without a channel', { type: 'message', ts: '1.0' }],
    ['a message whose ts is a number', { type: 'message', channel: 'C1', ts: 1 }],
    ['a mention by nobody', { type: 'app_mention', channel: 'C1', ts: '1.0', text: '<@U0BOT> why?' }],
    ['an event of an unknown type', { type: 'never_heard_of' }],
  ])('(%s) is left, and is no failure', async (_what, event) => {
    const l = await listening();
    await l.event(event);
    expect(await traces(l)).toEqual(nothing);
  });

  it('fails the delivery where it cannot be said who the person is, so that it is tried again', async () => {
    const l = await listening({ people: { refusal: () => Promise.reject(new Error('users.info fails')) } });
    const dm = { type: 'message', channel: 'D1', channel_type: 'im', ts: '5.0', user: 'U1', text: 'why?' };
    await expect(l.event(dm)).rejects.toThrow('users.info fails');
    expect(await traces(l)).toEqual(nothing);
  });
});

describe('whether a channel is private', () => {
  const isPrivate = async (l: Awaited<ReturnType<typeof listening>>) =>
    (await l.store.channels.get('C7')).isPrivate;
  const said = (more: Record<string, unknown>) => message({ channel: 'C7', ...more });

  it('is learnt from any message there, our own too, and again when it changes', async () => {
    const l = await listening();
    expect(await isPrivate(l)).toBe(true);
    await l.event(said({ channel_type: 'channel', bot_id: BOT.botId, text: 'x' }));
    expect(await isPrivate(l)).toBe(false);
    await l.event(said({ text: 'nobody says what sort of channel this is', user: 'U1' }));
    expect(await isPrivate(l)).toBe(false);
    await l.event(said({ channel_type: 'group', user: 'U1', text: 'we are alone now' }));
    expect(await isPrivate(l)).toBe(true);
    expect((await l.store.channels.get('C7')).watched).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { canMatter } from '../../../../../src/bot/slack/features/alerts/messages.ts';
import { tablesOf } from '../../../../support/tables-of.ts';
import { BOT } from '../../support/deps.ts';
import { listening } from '../../support/listening.ts';

const person = { user: 'U1', text: 'deploying now' };
const tool = { username: 'Tool', text: '[FIRING:1] disk is full', subtype: 'bot_message', bot_id: 'B0TOOL' };

const messages: Record<string, Record<string, unknown>> = {
  'a person’s message': person,
  'a person’s mention of us': { ...person, text: `<@${BOT.botUserId}> why?` },
  'a person’s file': { ...person, subtype: 'file_share', files: [{ id: 'F1' }] },
  'a person’s reply': { ...person, thread_ts: '1.0' },
  'a reply that is shown in the channel too': { ...person, thread_ts: '1.0', subtype: 'thread_broadcast' },
  'an edit of a person’s message': { subtype: 'message_changed', message: { ...person, ts: '9.0' } },
  'an edit of a reply': { subtype: 'message_changed', message: { ...person, ts: '9.0', thread_ts: '1.0' } },
  'a deletion': { subtype: 'message_deleted', deleted_ts: '9.0', previous_message: person },
  'a tool’s alert': tool,
  'a tool’s reply': { ...tool, thread_ts: '1.0' },
  'a message of our own': { user: BOT.botUserId, bot_id: BOT.botId, text: 'x' },
  'a notice of Slack': { user: 'U1', subtype: 'channel_join', text: '<@U1> has joined the channel' },
  'something unreadable': { ts: 'never' },
};

const channels = {
  public: { channel: 'C0PUBLIC', channel_type: 'channel' },
  private: { channel: 'C0PRIVATE', channel_type: 'group' },
  watched: { channel: 'C0WATCHED', channel_type: 'channel' },
  unknown: { channel: 'C0UNKNOWN', channel_type: 'channel' },
  direct: { channel: 'D0DIRECT', channel_type: 'im' },
  'now private': { channel: 'C0PUBLIC', channel_type: 'group' },
  'of an unknown kind': { channel: 'C0PUBLIC' },
};

/** A workspace whose channels have been talked in before, but for one. */
async function workspace() {
  const l = await listening();
  await l.store.channels.learn('C0PUBLIC', false);
  await l.store.channels.learn('C0WATCHED', false);
  return l;
}

const deliveryOf = (event: Record<string, unknown>) => ({
  type: 'event_callback',
  event_id: 'Ev1',
  event: { type: 'message', ts: '10.0', ...event },
});

/** What there is before and after. */
const state = (l: Awaited<ReturnType<typeof workspace>>) => ({
  tables: tablesOf(l.file),
  said: l.slack.methods(),
});

describe('what people say to each other where nothing is watched', () => {
  it('cannot matter, and neither can what tools say there', async () => {
    const l = await workspace();
    const idle: string[] = [];
    for (const [name, message] of Object.entries(messages)) {
      const delivery = deliveryOf({ ...channels.public, ...message });
      if (!(await canMatter(delivery, l.deps))) idle.push(name);
    }
    expect(idle).toEqual([
      'a person’s message',
      'a person’s mention of us',
      'a person’s file',
      'an edit of a person’s message',
      'an edit of a reply',
      'a deletion',
      'a tool’s alert',
      'a tool’s reply',
      'a message of our own',
      'a notice of Slack',
    ]);
  });

  it('can matter as soon as the channel is watched', async () => {
    const l = await workspace();
    const delivery = deliveryOf({ ...channels.public, ...tool });
    expect(await canMatter(delivery, l.deps)).toBe(false);
    await l.store.channels.watchFromStart('C0PUBLIC', '1.0');
    expect(await canMatter(delivery, l.deps)).toBe(true);
  });
});

describe('what cannot matter', () => {
  const cases = Object.entries(channels).flatMap(([where, channel]) =>
    Object.entries(messages).map(([what, message]) => ({ what, where, event: { ...channel, ...message } })),
  );

  it.each(cases)('$what ($where): nothing would follow from it', async ({ event }) => {
    const l = await workspace();
    const delivery = deliveryOf(event);
    if (await canMatter(delivery, l.deps)) return;
    const before = state(l);
    await l.give(delivery);
    expect(state(l)).toEqual(before);
  });

  it('is never anything but a message', async () => {
    const l = await workspace();
    for (const type of ['app_mention', 'reaction_added', 'channel_rename', 'app_home_opened']) {
      const event = { type, ts: '10.0', ...channels.public, ...person };
      expect(await canMatter(deliveryOf(event), l.deps)).toBe(true);
    }
    expect(await canMatter({ command: '/issue', channel_id: 'C0PUBLIC' }, l.deps)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { BOT } from '../../support/deps.ts';
import { listening } from '../../support/listening.ts';

const WATCHED = 'C0WATCHED';

describe('what Slack tells of a channel that is watched', () => {
  it.each([
    ['channel_archive', { user: 'U1' }, 'is_archived'],
    ['group_archive', { user: 'U1' }, 'is_archived'],
    ['channel_left', { actor_id: 'U1' }, 'not_in_channel'],
    ['group_left', { actor_id: 'U1' }, 'not_in_channel'],
    ['channel_deleted', { actor_id: 'U1' }, 'channel_not_found'],
    ['group_deleted', { actor_id: 'U1' }, 'channel_not_found'],
    ['channel_unarchive', { user: 'U1' }, 'changed'],
    ['group_unarchive', { user: 'U1' }, 'changed'],
    ['member_joined_channel', { user: BOT.botUserId, channel_type: 'C' }, 'changed'],
  ])('%s is heard', async (type, more, heard) => {
    const l = await listening();
    await l.event({ type, channel: WATCHED, ...more });
    expect(l.heard).toEqual([`${WATCHED} ${heard}`]);
  });

  it('is nobody’s trouble where we have nothing to do with the channel, or in a form that Slack never sends', async () => {
    const l = await listening();
    await l.event({ type: 'channel_archive', channel: 'C0OTHER', user: 'U1' });
    await l.event({ type: 'channel_left', channel: { id: WATCHED } });
    await l.event({ type: 'member_joined_channel', channel: WATCHED, user: 'U1' });
    await l.event({ type: 'member_joined_channel', channel: WATCHED });
    expect(l.heard).toEqual([]);
  });

  it('matters where an open issue lives, watched or not', async () => {
    const l = await listening();
    const alert = {
      subtype: 'bot_message',
      username: 'Tool',
      bot_id: 'B0TOOL',
      text: '[FIRING:1] disk is full',
    };
    await l.event({ type: 'message', channel: WATCHED, ts: '10.0', ...alert });
    await l.store.channels.unwatch(WATCHED);
    await l.event({ type: 'channel_archive', channel: WATCHED, user: 'U1' });
    expect(l.heard).toEqual([`${WATCHED} is_archived`]);
  });
});

it.each(['app_uninstalled', 'tokens_revoked'])('%s has the token tried', async (type) => {
  const l = await listening();
  await l.event({ type, tokens: { bot: [BOT.botUserId] } });
  expect(l.heard).toEqual(['token']);
});

import { z } from 'zod';
import type { ListenerDeps } from '../../listening/deps.ts';
import { channelEvent } from './channel-event.ts';

const lookAgain = (channel: string, { blockers }: ListenerDeps) => blockers.channelChanged(channel);

/** A channel was unarchived: asks Slack whether the bot is still in it. */
export const channelUnarchive = channelEvent('channel_unarchive', lookAgain);
export const groupUnarchive = channelEvent('group_unarchive', lookAgain);

const Joined = z.looseObject({ user: z.string() });

/** The bot joined a channel, perhaps again: reads what was posted in its absence. Other members are ignored. */
export const memberJoinedChannel = channelEvent(
  'member_joined_channel',
  async (channel, { identity, blockers }, raw) => {
    const joined = Joined.safeParse(raw);
    if (joined.success && joined.data.user === identity.botUserId) await blockers.channelChanged(channel);
  },
);

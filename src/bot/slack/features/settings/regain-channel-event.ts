import { z } from 'zod';
import type { ListenerDeps } from '../../listening/deps.ts';
import { channelEvent } from './channel-event.ts';

const lookAgain = (channel: string, { blockers }: ListenerDeps) => blockers.channelChanged(channel);

/** A channel is archived no longer; whether the bot is still in it, Slack is asked. */
export const channelUnarchive = channelEvent('channel_unarchive', lookAgain);
export const groupUnarchive = channelEvent('group_unarchive', lookAgain);

const Joined = z.looseObject({ user: z.string() });

/** The bot has come into a channel, perhaps again: what was posted without it is read. Others may come and go. */
export const memberJoinedChannel = channelEvent(
  'member_joined_channel',
  async (channel, { identity, blockers }, raw) => {
    const joined = Joined.safeParse(raw);
    if (joined.success && joined.data.user === identity.botUserId) await blockers.channelChanged(channel);
  },
);

import { z } from 'zod';
import type { Register } from '../../listening/deps.ts';
import { channelEvent } from './channel-event.ts';

const Joined = z.looseObject({ user: z.string() });

/** The bot has come into a channel, perhaps again: what was posted without it is read. Others may come and go. */
export const memberJoinedChannel: Register = channelEvent(
  'member_joined_channel',
  async (channel, { identity, blockers }, raw) => {
    const joined = Joined.safeParse(raw);
    if (joined.success && joined.data.user === identity.botUserId) await blockers.channelChanged(channel);
  },
);

import { z } from 'zod';
import { channelEvent } from '../channel-event.ts';
import type { Register } from '../deps.ts';

const Joined = z.looseObject({ user: z.string() });

/** The bot has come into a channel, perhaps again: what was posted without it is read. Others may come and go. */
export const memberJoinedChannel: Register = channelEvent(
  'member_joined_channel',
  async (channel, { identity, troubles }, raw) => {
    const joined = Joined.safeParse(raw);
    if (joined.success && joined.data.user === identity.botUserId) await troubles.channelChanged(channel);
  },
);

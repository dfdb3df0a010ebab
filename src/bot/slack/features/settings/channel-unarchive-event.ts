import type { Register } from '../../listening/deps.ts';
import { channelEvent } from './channel-event.ts';

/** A public channel is archived no longer; whether the bot is still in it, Slack is asked. */
export const channelUnarchive: Register = channelEvent('channel_unarchive', (channel, { blockers }) =>
  blockers.channelChanged(channel),
);

/** A private channel is archived no longer. */
export const groupUnarchive: Register = channelEvent('group_unarchive', (channel, { blockers }) =>
  blockers.channelChanged(channel),
);

import type { Register } from '../../listening/deps.ts';
import { broken, channelEvent } from './channel-event.ts';

/** The bot was removed from a public channel. */
export const channelLeft: Register = channelEvent('channel_left', broken('not_in_channel'));

/** The bot was removed from a private channel. */
export const groupLeft: Register = channelEvent('group_left', broken('not_in_channel'));

import type { Register } from '../../listening/deps.ts';
import { broken, channelEvent } from './channel-event.ts';

/** A public channel is deleted, with all that stood in it. */
export const channelDeleted: Register = channelEvent('channel_deleted', broken('channel_not_found'));

/** A private channel is deleted. */
export const groupDeleted: Register = channelEvent('group_deleted', broken('channel_not_found'));

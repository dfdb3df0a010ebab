import type { Register } from '../../listening/deps.ts';
import { broken, channelEvent } from './channel-event.ts';

/** A public channel is archived. */
export const channelArchive: Register = channelEvent('channel_archive', broken('is_archived'));

/** A private channel is archived. */
export const groupArchive: Register = channelEvent('group_archive', broken('is_archived'));

import { broken, channelEvent } from '../channel-event.ts';
import type { Register } from '../deps.ts';

/** A public channel is archived. */
export const channelArchive: Register = channelEvent('channel_archive', broken('is_archived'));

/** A private channel is archived. */
export const groupArchive: Register = channelEvent('group_archive', broken('is_archived'));

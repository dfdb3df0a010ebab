import { broken, channelEvent } from './channel-event.ts';

/** The bot was removed from a channel, public or private. */
export const channelLeft = channelEvent('channel_left', broken('not_in_channel'));
export const groupLeft = channelEvent('group_left', broken('not_in_channel'));

/** A channel was archived. */
export const channelArchive = channelEvent('channel_archive', broken('is_archived'));
export const groupArchive = channelEvent('group_archive', broken('is_archived'));

/** A channel was deleted, with all its messages. */
export const channelDeleted = channelEvent('channel_deleted', broken('channel_not_found'));
export const groupDeleted = channelEvent('group_deleted', broken('channel_not_found'));

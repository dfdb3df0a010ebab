import type { Channel, Message } from './entities.ts';
import {
  announceFate,
  announceJoin,
  announceLeft,
  announceMessage,
  announceRename,
} from './events/announce.ts';
import { joinChannel } from './messages/join.ts';
import { presentOnPage } from './messages/present.ts';
import { channelOf } from './post-as.ts';
import { SlackError } from './slack-error.ts';
import type { WorkspaceContext } from './workspace-context.ts';

function notice(
  world: WorkspaceContext,
  channel: Channel,
  subtype: string,
  user: string,
  words: string,
): Message {
  const ts = world.store.messages.nextTs(world.clock.now());
  const message: Message = { type: 'message', subtype, user, text: `<@${user}> ${words}`, ts };
  world.store.messages.insert(channel.id, message);
  world.page.emit({
    type: 'message',
    channel: channel.id,
    message: presentOnPage(world, channel.id, message),
  });
  return message;
}

function openChannel(world: WorkspaceContext, ref: string): Channel {
  const channel = channelOf(world, ref);
  if (channel.is_archived) throw new SlackError('is_archived');
  if (channel.is_im) throw new SlackError('method_not_supported_for_channel_type');
  return channel;
}

/**
 * Brings the app into a channel, as a person who is there does with `/invite`.
 *
 * @throws SlackError `channel_not_found`, `is_archived`, `already_in_channel`.
 */
export function inviteApp(world: WorkspaceContext, ref: string, by: string): void {
  const channel = openChannel(world, ref);
  const user = world.app.bot_user_id;
  if (!joinChannel(world, channel, user, by)) throw new SlackError('already_in_channel');
  announceJoin(world, channel, user, by);
}

/**
 * Removes the app from a channel. It hears that it has gone, and nothing more of the channel.
 *
 * @throws SlackError `channel_not_found`, `is_archived`, `not_in_channel`.
 */
export function kickApp(world: WorkspaceContext, ref: string, by: string): void {
  const channel = openChannel(world, ref);
  const user = world.app.bot_user_id;
  if (!world.store.channels.leave(channel.id, user)) throw new SlackError('not_in_channel');
  notice(world, channel, 'channel_leave', user, `was removed from the channel by <@${by}>`);
  announceLeft(world, channel, by);
}

/**
 * Archives a channel: it can be read, and nothing more.
 *
 * @throws SlackError `channel_not_found`, `is_archived`.
 */
export function archiveChannel(world: WorkspaceContext, ref: string, by: string): void {
  const channel = openChannel(world, ref);
  const message = notice(world, channel, 'channel_archive', by, 'archived the channel');
  world.store.channels.put({ ...channel, is_archived: true });
  announceMessage(world, channel, message);
  announceFate(world, channel, 'archive', by);
}

/**
 * Opens an archived channel again; who was in it is in it.
 *
 * @throws SlackError `channel_not_found`, `not_archived`.
 */
export function unarchiveChannel(world: WorkspaceContext, ref: string, by: string): void {
  const channel = channelOf(world, ref);
  if (!channel.is_archived) throw new SlackError('not_archived');
  world.store.channels.put({ ...channel, is_archived: false });
  announceMessage(world, channel, notice(world, channel, 'channel_unarchive', by, 'un-archived the channel'));
  announceFate(world, channel, 'unarchive', by);
}

/**
 * Gives a channel another name.
 *
 * @throws SlackError `channel_not_found`, `is_archived`, `name_taken`.
 */
export function renameChannel(world: WorkspaceContext, ref: string, name: string, by: string): void {
  const channel = openChannel(world, ref);
  if (world.store.channels.named(name)) throw new SlackError('name_taken');
  const renamed = { ...channel, name };
  world.store.channels.put(renamed);
  const words = `has renamed the channel from "${channel.name}" to "${name}"`;
  announceMessage(world, renamed, notice(world, renamed, 'channel_name', by, words));
  announceRename(world, renamed);
}

/**
 * Deletes a channel for good; the app hears that it is gone.
 *
 * @throws SlackError `channel_not_found`.
 */
export function deleteChannel(world: WorkspaceContext, ref: string, by: string): void {
  const channel = channelOf(world, ref);
  announceFate(world, channel, 'deleted', by);
  world.store.channels.remove(channel.id);
}

/**
 * Says whether the app may post in a channel that it is in.
 *
 * @throws SlackError `channel_not_found`, `is_archived`.
 */
export function restrictChannel(world: WorkspaceContext, ref: string, restricted: boolean): void {
  world.store.channels.put({ ...openChannel(world, ref), is_restricted: restricted });
}

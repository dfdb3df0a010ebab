import type { Channel, Message } from './entities.ts';
import { SlackError } from './errors.ts';
import {
  announceChannelChange,
  announceJoin,
  announceLeft,
  announceMessage,
  announceRename,
} from './events/announce.ts';
import { channelOf, joinChannel } from './messages/post.ts';
import { presentOnPage } from './messages/present.ts';
import type { WorkspaceContext } from './workspace-context.ts';

function postNotice(
  context: WorkspaceContext,
  channel: Channel,
  subtype: string,
  user: string,
  words: string,
): Message {
  const ts = context.store.messages.nextTs(context.clock.now());
  const message: Message = { type: 'message', subtype, user, text: `<@${user}> ${words}`, ts };
  context.store.messages.insert(channel.id, message);
  context.page.emit({
    type: 'message',
    channel: channel.id,
    message: presentOnPage(context, channel.id, message),
  });
  return message;
}

function openChannel(context: WorkspaceContext, ref: string): Channel {
  const channel = channelOf(context, ref);
  if (channel.is_archived) throw new SlackError('is_archived');
  if (channel.is_im) throw new SlackError('method_not_supported_for_channel_type');
  return channel;
}

/**
 * Invites the app to a channel, as a member does with `/invite`.
 *
 * @throws SlackError `channel_not_found`, `is_archived`, `already_in_channel`.
 */
export function inviteApp(context: WorkspaceContext, ref: string, by: string): void {
  const channel = openChannel(context, ref);
  const user = context.app.bot_user_id;
  if (!joinChannel(context, channel, user, by)) throw new SlackError('already_in_channel');
  announceJoin(context, channel, user, by);
}

/**
 * Removes the app from a channel. The app is notified, and receives nothing more from the channel.
 *
 * @throws SlackError `channel_not_found`, `is_archived`, `not_in_channel`.
 */
export function kickApp(context: WorkspaceContext, ref: string, by: string): void {
  const channel = openChannel(context, ref);
  const user = context.app.bot_user_id;
  if (!context.store.channels.leave(channel.id, user)) throw new SlackError('not_in_channel');
  postNotice(context, channel, 'channel_leave', user, `was removed from the channel by <@${by}>`);
  announceLeft(context, channel, by);
}

/**
 * Archives a channel, which makes it read-only.
 *
 * @throws SlackError `channel_not_found`, `is_archived`.
 */
export function archiveChannel(context: WorkspaceContext, ref: string, by: string): void {
  const channel = openChannel(context, ref);
  const message = postNotice(context, channel, 'channel_archive', by, 'archived the channel');
  context.store.channels.put({ ...channel, is_archived: true });
  announceMessage(context, channel, message);
  announceChannelChange(context, channel, 'archive', by);
}

/**
 * Unarchives a channel; its members stay.
 *
 * @throws SlackError `channel_not_found`, `not_archived`.
 */
export function unarchiveChannel(context: WorkspaceContext, ref: string, by: string): void {
  const channel = channelOf(context, ref);
  if (!channel.is_archived) throw new SlackError('not_archived');
  context.store.channels.put({ ...channel, is_archived: false });
  announceMessage(
    context,
    channel,
    postNotice(context, channel, 'channel_unarchive', by, 'un-archived the channel'),
  );
  announceChannelChange(context, channel, 'unarchive', by);
}

/**
 * Renames a channel.
 *
 * @throws SlackError `channel_not_found`, `is_archived`, `name_taken`.
 */
export function renameChannel(context: WorkspaceContext, ref: string, name: string, by: string): void {
  const channel = openChannel(context, ref);
  if (context.store.channels.named(name)) throw new SlackError('name_taken');
  const renamed = { ...channel, name };
  context.store.channels.put(renamed);
  const words = `has renamed the channel from "${channel.name}" to "${name}"`;
  announceMessage(context, renamed, postNotice(context, renamed, 'channel_name', by, words));
  announceRename(context, renamed);
}

/**
 * Deletes a channel for good; the app is notified.
 *
 * @throws SlackError `channel_not_found`.
 */
export function deleteChannel(context: WorkspaceContext, ref: string, by: string): void {
  const channel = channelOf(context, ref);
  announceChannelChange(context, channel, 'deleted', by);
  context.store.channels.remove(channel.id);
}

/**
 * Sets whether the app may post in a channel that it is a member of.
 *
 * @throws SlackError `channel_not_found`, `is_archived`.
 */
export function restrictChannel(context: WorkspaceContext, ref: string, restricted: boolean): void {
  context.store.channels.put({ ...openChannel(context, ref), is_restricted: restricted });
}

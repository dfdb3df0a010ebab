import type { Channel, Message } from './entities.ts';
import { announceArchive, announceJoin, announceLeft, announceMessage } from './events/announce.ts';
import { joinChannel } from './messages/join.ts';
import { presentOnPage } from './messages/present.ts';
import { channelOf } from './post-as.ts';
import { SlackError } from './slack-error.ts';
import type { World } from './world.ts';

function notice(world: World, channel: Channel, subtype: string, user: string, words: string): Message {
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

function openChannel(world: World, ref: string): Channel {
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
export function inviteApp(world: World, ref: string, by: string): void {
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
export function kickApp(world: World, ref: string, by: string): void {
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
export function archiveChannel(world: World, ref: string, by: string): void {
  const channel = openChannel(world, ref);
  const message = notice(world, channel, 'channel_archive', by, 'archived the channel');
  world.store.channels.put({ ...channel, is_archived: true });
  announceMessage(world, channel, message);
  announceArchive(world, channel, by);
}

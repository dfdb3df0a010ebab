import { VERIFICATION_TOKEN } from '../deliver/transport.ts';
import type { Channel, Message } from '../entities.ts';
import { withFiles } from '../files/present.ts';
import { newHex, newId } from '../ids.ts';
import { broadcastRoot, threadFacts } from '../messages/present.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { type EventName, subscribed } from './kinds.ts';

/** How events name the kind of a conversation. */
export type ChannelType = 'channel' | 'group' | 'im';

export function channelType(channel: Channel): ChannelType {
  if (channel.is_im) return 'im';
  return channel.is_private ? 'group' : 'channel';
}

const MESSAGE_EVENTS = { channel: 'message.channels', group: 'message.groups', im: 'message.im' } as const;

/** Wraps an event as the Events API does, and hands it to the queue. */
export function dispatch(world: WorkspaceContext, event: object): void {
  const { app, team, clock, random } = world;
  const id = newId(random, 'Ev');
  world.deliverEvent(id, {
    token: VERIFICATION_TOKEN,
    team_id: team.id,
    context_team_id: team.id,
    context_enterprise_id: null,
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id: id,
    event_time: Math.floor(clock.now() / 1000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: team.id,
        user_id: app.bot_user_id,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
    event_context: `4-${newHex(random, 24)}`,
  });
}

/** Whether the app hears of what happens there: it is a member, and its manifest subscribes. */
export function hears(world: WorkspaceContext, channel: Channel, event: EventName): boolean {
  return subscribed(world, event) && world.store.channels.isMember(channel.id, world.app.bot_user_id);
}

function messageEvent(world: WorkspaceContext, channel: Channel, event: object): void {
  const kind = channelType(channel);
  if (hears(world, channel, MESSAGE_EVENTS[kind])) dispatch(world, { ...event, channel_type: kind });
}

/** Slack tells of metadata in events of their own, to whom asks for them. */
function asSent(world: WorkspaceContext, { metadata: _, ...message }: Message): object {
  return withFiles(world, message);
}

/** A new message, and its twin `app_mention` where it names the app. The app hears its own too. */
export function announceMessage(world: WorkspaceContext, channel: Channel, message: Message): void {
  const root = broadcastRoot(world, channel.id, message);
  const event = {
    ...asSent(world, message),
    // So events call it, though the message that is stored bears no such mark.
    ...(message.file_ids && { subtype: 'file_share' }),
    ...root,
    channel: channel.id,
    event_ts: message.ts,
  };
  messageEvent(world, channel, event);
  const mentioned = new RegExp(`<@${world.app.bot_user_id}(\\|[^>]*)?>`).test(message.text);
  const own = message.bot_id === world.app.bot_id || message.user === world.app.bot_user_id;
  if (mentioned && !own && !channel.is_im && hears(world, channel, 'app_mention')) {
    dispatch(world, { ...event, type: 'app_mention' });
  }
}

/** An edit: Slack sends the message as it is now and as it was. */
export function announceEdit(
  world: WorkspaceContext,
  channel: Channel,
  message: Message,
  previous: Message,
): void {
  const ts = world.store.messages.nextTs(world.clock.now());
  const facts = threadFacts(world, channel.id, message);
  messageEvent(world, channel, {
    type: 'message',
    subtype: 'message_changed',
    message: { ...asSent(world, message), ...facts },
    previous_message: { ...asSent(world, previous), ...facts },
    channel: channel.id,
    hidden: true,
    ts,
    event_ts: ts,
  });
}

/** A message that is gone. */
export function announceDeletion(world: WorkspaceContext, channel: Channel, previous: Message): void {
  const ts = world.store.messages.nextTs(world.clock.now());
  messageEvent(world, channel, {
    type: 'message',
    subtype: 'message_deleted',
    previous_message: asSent(world, previous),
    channel: channel.id,
    hidden: true,
    deleted_ts: previous.ts,
    ts,
    event_ts: ts,
  });
}

interface ReactionChange {
  type: 'reaction_added' | 'reaction_removed';
  user: string;
  reaction: string;
}

/** An emoji put on a message, or taken away. */
export function announceReaction(
  world: WorkspaceContext,
  channel: Channel,
  message: Message,
  change: ReactionChange,
): void {
  if (!hears(world, channel, change.type)) return;
  dispatch(world, {
    ...change,
    item: { type: 'message', channel: channel.id, ts: message.ts },
    ...(message.user !== undefined && { item_user: message.user }),
    event_ts: world.store.messages.nextTs(world.clock.now()),
  });
}

/** Somebody who has come into a channel. */
export function announceJoin(
  world: WorkspaceContext,
  channel: Channel,
  user: string,
  inviter?: string,
): void {
  if (!hears(world, channel, 'member_joined_channel')) return;
  dispatch(world, {
    type: 'member_joined_channel',
    user,
    channel: channel.id,
    channel_type: channel.is_private ? 'G' : 'C',
    team: world.team.id,
    ...(inviter !== undefined && { inviter }),
    event_ts: world.store.messages.nextTs(world.clock.now()),
  });
}

/** The app itself, which has been removed from a channel: the last that it hears of it. */
export function announceLeft(world: WorkspaceContext, channel: Channel, actor_id: string): void {
  const type = channel.is_private ? 'group_left' : 'channel_left';
  if (!subscribed(world, type)) return;
  const event_ts = world.store.messages.nextTs(world.clock.now());
  dispatch(world, { type, channel: channel.id, actor_id, event_ts });
}

/** A channel that is archived now, or no longer, or deleted. */
export function announceFate(
  world: WorkspaceContext,
  channel: Channel,
  fate: 'archive' | 'unarchive' | 'deleted',
  user: string,
): void {
  const type = `${channel.is_private ? 'group' : 'channel'}_${fate}` as const;
  if (!hears(world, channel, type)) return;
  const event_ts = world.store.messages.nextTs(world.clock.now());
  const actor = fate === 'deleted' ? { actor_id: user } : { user };
  dispatch(world, { type, channel: channel.id, ...actor, event_ts });
}

/** A channel that has another name now. */
export function announceRename(world: WorkspaceContext, channel: Channel): void {
  const type = channel.is_private ? 'group_rename' : 'channel_rename';
  if (!hears(world, channel, type)) return;
  const { id, name, created } = channel;
  const event_ts = world.store.messages.nextTs(world.clock.now());
  dispatch(world, { type, channel: { id, name, created }, event_ts });
}

/** The app was removed from the workspace, or its token revoked: the last that it hears. */
export function announceEnd(world: WorkspaceContext, end: 'app_uninstalled' | 'tokens_revoked'): void {
  if (!subscribed(world, end)) return;
  const tokens = end === 'tokens_revoked' ? { tokens: { oauth: [], bot: [world.app.bot_user_id] } } : {};
  dispatch(world, { type: end, ...tokens });
}

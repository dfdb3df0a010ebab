import { VERIFICATION_TOKEN } from '../deliver.ts';
import type { Channel, Message } from '../entities.ts';
import { withFiles } from '../files/present.ts';
import { newHex, newId } from '../ids.ts';
import { presentHome } from '../interact/home-view.ts';
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

/** Wraps an event as the Events API does, and queues it; `user` is the person who caused it. */
export function dispatch(context: WorkspaceContext, event: object, user?: string): void {
  const { app, team, clock, random } = context;
  const id = newId(random, 'Ev');
  context.deliverEvent(id, {
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
        user_id: user ?? app.bot_user_id,
        is_bot: user === undefined,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
    event_context: `4-${newHex(random, 24)}`,
  });
}

/** Whether the app gets events from there: it is a member, and its manifest subscribes. */
function receives(context: WorkspaceContext, channel: Channel, event: EventName): boolean {
  return subscribed(context, event) && context.store.channels.isMember(channel.id, context.app.bot_user_id);
}

function messageEvent(context: WorkspaceContext, channel: Channel, event: object): void {
  const kind = channelType(channel);
  if (receives(context, channel, MESSAGE_EVENTS[kind])) dispatch(context, { ...event, channel_type: kind });
}

/** Slack tells of metadata in events of their own, to whom asks for them. */
function asSent(context: WorkspaceContext, { metadata: _, ...message }: Message): object {
  return withFiles(context, message);
}

/** What the author of a direct message looks at, for an agent that asks for it. */
function appContext(context: WorkspaceContext, user: string | undefined): object {
  if (user === undefined || !seesContext(context)) return {};
  return { app_context: viewedBy(context, user) };
}

/** A new message, with its `app_mention` if it mentions the app. The app gets its own messages too. */
export function announceMessage(context: WorkspaceContext, channel: Channel, message: Message): void {
  const root = broadcastRoot(context, channel.id, message);
  const event = {
    ...asSent(context, message),
    // So events call it, though the message that is stored bears no such mark.
    ...(message.file_ids && { subtype: 'file_share' }),
    ...root,
    ...(channel.is_im && message.user === channel.im_user && appContext(context, message.user)),
    channel: channel.id,
    event_ts: message.ts,
  };
  messageEvent(context, channel, event);
  const mentioned = new RegExp(`<@${context.app.bot_user_id}(\\|[^>]*)?>`).test(message.text);
  const own = message.bot_id === context.app.bot_id || message.user === context.app.bot_user_id;
  if (mentioned && !own && !channel.is_im && receives(context, channel, 'app_mention')) {
    dispatch(context, { ...event, type: 'app_mention' });
  }
}

/** An edit: Slack sends the message as it is now and as it was. */
export function announceEdit(
  context: WorkspaceContext,
  channel: Channel,
  message: Message,
  previous: Message,
): void {
  const ts = context.store.messages.nextTs(context.clock.now());
  const facts = threadFacts(context, channel.id, message);
  messageEvent(context, channel, {
    type: 'message',
    subtype: 'message_changed',
    message: { ...asSent(context, message), ...facts },
    previous_message: { ...asSent(context, previous), ...facts },
    channel: channel.id,
    hidden: true,
    ts,
    event_ts: ts,
  });
}

/** A message that is gone. */
export function announceDeletion(context: WorkspaceContext, channel: Channel, previous: Message): void {
  const ts = context.store.messages.nextTs(context.clock.now());
  messageEvent(context, channel, {
    type: 'message',
    subtype: 'message_deleted',
    previous_message: asSent(context, previous),
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
  context: WorkspaceContext,
  channel: Channel,
  message: Message,
  change: ReactionChange,
): void {
  if (!receives(context, channel, change.type)) return;
  dispatch(context, {
    ...change,
    item: { type: 'message', channel: channel.id, ts: message.ts },
    ...(message.user !== undefined && { item_user: message.user }),
    event_ts: context.store.messages.nextTs(context.clock.now()),
  });
}

/** Somebody has joined a channel. */
export function announceJoin(
  context: WorkspaceContext,
  channel: Channel,
  user: string,
  inviter?: string,
): void {
  if (!receives(context, channel, 'member_joined_channel')) return;
  dispatch(context, {
    type: 'member_joined_channel',
    user,
    channel: channel.id,
    channel_type: channel.is_private ? 'G' : 'C',
    team: context.team.id,
    ...(inviter !== undefined && { inviter }),
    event_ts: context.store.messages.nextTs(context.clock.now()),
  });
}

/** The app itself has been removed from a channel: the last event it gets from there. */
export function announceLeft(context: WorkspaceContext, channel: Channel, actor_id: string): void {
  const type = channel.is_private ? 'group_left' : 'channel_left';
  if (!subscribed(context, type)) return;
  const event_ts = context.store.messages.nextTs(context.clock.now());
  dispatch(context, { type, channel: channel.id, actor_id, event_ts });
}

/** A channel that is archived now, or no longer, or deleted. */
export function announceChannelChange(
  context: WorkspaceContext,
  channel: Channel,
  fate: 'archive' | 'unarchive' | 'deleted',
  user: string,
): void {
  const type = `${channel.is_private ? 'group' : 'channel'}_${fate}` as const;
  if (!receives(context, channel, type)) return;
  const event_ts = context.store.messages.nextTs(context.clock.now());
  const actor = fate === 'deleted' ? { actor_id: user } : { user };
  dispatch(context, { type, channel: channel.id, ...actor, event_ts });
}

/** A channel that has another name now. */
export function announceRename(context: WorkspaceContext, channel: Channel): void {
  const type = channel.is_private ? 'group_rename' : 'channel_rename';
  if (!receives(context, channel, type)) return;
  const { id, name, created } = channel;
  const event_ts = context.store.messages.nextTs(context.clock.now());
  dispatch(context, { type, channel: { id, name, created }, event_ts });
}

/** The app was removed from the workspace, or its token revoked: the last that it hears. */
export function announceUninstall(
  context: WorkspaceContext,
  end: 'app_uninstalled' | 'tokens_revoked',
): void {
  if (!subscribed(context, end)) return;
  const tokens = end === 'tokens_revoked' ? { tokens: { oauth: [], bot: [context.app.bot_user_id] } } : {};
  dispatch(context, { type: end, ...tokens });
}

/** A file that the channel sees now, besides the message that shows it. */
export function announceFile(context: WorkspaceContext, channel: Channel, id: string, user_id: string): void {
  if (!receives(context, channel, 'file_shared')) return;
  dispatch(context, {
    type: 'file_shared',
    file_id: id,
    user_id,
    file: { id },
    channel_id: channel.id,
    event_ts: context.store.messages.nextTs(context.clock.now()),
  });
}

/** Somebody has opened the app; includes their Home, if the app has published one. */
export function announceHome(
  context: WorkspaceContext,
  user: string,
  im: Channel,
  tab: 'home' | 'messages',
): void {
  if (!subscribed(context, 'app_home_opened')) return;
  const home = tab === 'home' ? context.store.homes.get(user) : undefined;
  dispatch(context, {
    type: 'app_home_opened',
    user,
    channel: im.id,
    tab,
    ...(home && { view: presentHome(context, home) }),
    ...(seesContext(context) && { context: viewedBy(context, user) }),
    event_ts: context.store.messages.nextTs(context.clock.now()),
  });
}

/** Whether the app is told what people look at. */
function seesContext(context: WorkspaceContext): boolean {
  return subscribed(context, 'app_context_changed');
}

/** What a person looks at as Slack tells it, the most relevant first; empty if it is nothing. */
export function viewedBy({ viewing, team }: WorkspaceContext, user: string): object {
  const viewed = viewing.places.get(user);
  if (!viewed) return {};
  const { channel, message_ts } = viewed;
  const message = {
    type: 'slack#/types/message_context',
    value: { message_ts, channel_id: channel },
    team_id: team.id,
  };
  const place = { type: 'slack#/types/channel_id', value: channel, team_id: team.id };
  return { entities: message_ts === undefined ? [place] : [message, place] };
}

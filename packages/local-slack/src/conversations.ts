import type { Channel } from './entities.ts';
import { SlackError } from './errors.ts';
import { channelType } from './events/announce.ts';
import { newId } from './ids.ts';
import type { WorkspaceContext } from './workspace-context.ts';

/** How scopes name the kinds of conversations: `channels:history`, `groups:read`, `im:write`. */
export const SCOPE_FAMILY = { channel: 'channels', group: 'groups', im: 'im' } as const;

/** @throws SlackError `missing_scope` with `needed` and `provided`. */
export function requireScope(context: WorkspaceContext, needed: string): void {
  if (context.manifest.scopes.includes(needed)) return;
  throw new SlackError('missing_scope', { needed, provided: context.manifest.scopes.join(',') });
}

/** The conversation of the app with a person, made if there is none. */
export function openIm(context: WorkspaceContext, user: string): Channel {
  const known = context.store.channels.imWith(user);
  if (known) return known;
  const channel: Channel = {
    id: newId(context.random, 'D', 9),
    name: user,
    topic: '',
    creator: user,
    created: Math.floor(context.clock.now() / 1000),
    is_im: true,
    is_private: true,
    is_archived: false,
    im_user: user,
  };
  context.store.channels.put(channel);
  context.store.channels.join(channel.id, user);
  context.store.channels.join(channel.id, context.app.bot_user_id);
  return channel;
}

/**
 * A conversation that the app can see: public ones, and those it is a member of.
 *
 * @throws SlackError `channel_not_found`.
 */
export function visibleChannel(context: WorkspaceContext, id: string): Channel {
  const channel = context.store.channels.get(id);
  const member = channel && context.store.channels.isMember(id, context.app.bot_user_id);
  if (!channel || (channel.is_private && !member)) throw new SlackError('channel_not_found');
  return channel;
}

/**
 * A conversation that the app is a member of.
 *
 * @throws SlackError `channel_not_found`, `not_in_channel`.
 */
export function joinedChannel(context: WorkspaceContext, id: string): Channel {
  const channel = visibleChannel(context, id);
  if (!context.store.channels.isMember(channel.id, context.app.bot_user_id)) {
    throw new SlackError('not_in_channel');
  }
  return channel;
}

/**
 * Where a post may go: an id, a name with or without `#`, or a person's id for their conversation.
 *
 * @throws SlackError `channel_not_found`, `not_in_channel`, `is_archived`, `restricted_action`.
 */
export function postableChannel(context: WorkspaceContext, ref: string): Channel {
  const { channels, users } = context.store;
  const user = users.get(ref);
  if (user && !user.is_bot) return openIm(context, user.id);
  const named = channels.get(ref) ?? channels.named(ref.replace(/^#/, ''));
  const channel = visibleChannel(context, named?.id ?? ref);
  if (channel.is_archived) throw new SlackError('is_archived');
  const anywhere = !channel.is_private && context.manifest.scopes.includes('chat:write.public');
  if (!anywhere) joinedChannel(context, channel.id);
  if (channel.is_restricted) throw new SlackError('restricted_action');
  return channel;
}

/** @throws SlackError `missing_scope` if the manifest lacks, say, `groups:history` for a private channel. */
export function requireScopeFor(
  context: WorkspaceContext,
  channel: Channel,
  action: 'history' | 'read',
): void {
  requireScope(context, `${SCOPE_FAMILY[channelType(channel)]}:${action}`);
}

/** A conversation as `conversations.info` gives it. */
export function presentChannel(context: WorkspaceContext, channel: Channel): object {
  const { id, name, topic, creator, created, is_im, is_private, is_archived, im_user } = channel;
  const member = context.store.channels.isMember(id, context.app.bot_user_id);
  const shared = { id, created, is_archived, is_im, is_mpim: false, is_org_shared: false };
  if (is_im) {
    return { ...shared, is_channel: false, is_group: false, user: im_user, is_private: true, is_open: true };
  }
  return {
    ...shared,
    name,
    name_normalized: name,
    is_channel: !is_private,
    is_group: is_private,
    is_general: name === 'general',
    is_private,
    is_shared: false,
    is_ext_shared: false,
    is_member: member,
    creator,
    context_team_id: context.team.id,
    topic: { value: topic, creator, last_set: created },
    purpose: { value: '', creator: '', last_set: 0 },
    num_members: context.store.channels.members(id).length,
  };
}

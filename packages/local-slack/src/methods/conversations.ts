import { z } from 'zod';
import {
  openIm,
  presentChannel,
  requireScope,
  requireScopeFor,
  SCOPE_FAMILY,
  visibleChannel,
} from '../conversations.ts';
import type { Channel } from '../entities.ts';
import { announceJoin, channelType } from '../events/announce.ts';
import { joinChannel } from '../messages/join.ts';
import { SlackError } from '../slack-error.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { pageOf } from './cursor.ts';
import { flag, type Method, method, whole } from './method.ts';

const READ = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const limit = whole.min(1).max(1000).default(100);
const cursor = z.string().optional();
const channelOnly = z.looseObject({ channel: z.string() });

const TYPES = {
  public_channel: 'channel',
  private_channel: 'group',
  im: 'im',
  mpim: undefined,
} as const;

const types = z
  .string()
  .default('public_channel')
  .transform((text) => text.split(',').map((type) => type.trim()))
  .pipe(z.array(z.enum(['public_channel', 'private_channel', 'im', 'mpim'])));

const listArgs = z.looseObject({ types, limit, cursor, exclude_archived: flag.default(false) });

type ListArgs = z.infer<typeof listArgs>;

function listed(context: WorkspaceContext, args: ListArgs, include: (channel: Channel) => boolean): object {
  const kinds = args.types.map((type) => TYPES[type]).filter((kind) => kind !== undefined);
  for (const kind of kinds) requireScope(context, `${SCOPE_FAMILY[kind]}:read`);
  const all = context.store.channels
    .all()
    .filter((channel) => kinds.includes(channelType(channel)) && include(channel))
    .filter((channel) => !(args.exclude_archived && channel.is_archived));
  const { page, next } = pageOf(all, args.limit, args.cursor);
  return {
    channels: page.map((channel) => presentChannel(context, channel)),
    response_metadata: { next_cursor: next },
  };
}

const isBotIn = (context: WorkspaceContext) => (channel: Channel) =>
  context.store.channels.isMember(channel.id, context.app.bot_user_id);

const list = method({
  name: 'conversations.list',
  tokens: ['bot'],
  scopes: READ,
  tier: 2,
  checks: ['missing_scope', 'invalid_cursor'],
  unchecked: ['`team_id`', 'conversations of several people: there are none'],
  args: listArgs,
  handle: (context, args) =>
    listed(context, args, (channel) => !channel.is_private || isBotIn(context)(channel)),
});

const mine = method({
  name: 'users.conversations',
  tokens: ['bot'],
  scopes: READ,
  tier: 3,
  checks: ['user_not_found', 'missing_scope', 'invalid_cursor'],
  unchecked: ['conversations of several people: there are none'],
  args: listArgs.extend({ user: z.string().optional() }),
  handle: (context, args) => {
    const { user = context.app.bot_user_id } = args;
    if (!context.store.users.get(user)) throw new SlackError('user_not_found');
    // Of other people's private conversations the app is shown those that it is in too.
    return listed(
      context,
      args,
      (channel) =>
        context.store.channels.isMember(channel.id, user) &&
        (!channel.is_private || isBotIn(context)(channel)),
    );
  },
});

const info = method({
  name: 'conversations.info',
  tokens: ['bot'],
  scopes: READ,
  tier: 3,
  checks: ['channel_not_found', 'missing_scope'],
  unchecked: ['`include_locale`'],
  args: channelOnly,
  handle: (context, args) => {
    const channel = visibleChannel(context, args.channel);
    requireScopeFor(context, channel, 'read');
    return { channel: presentChannel(context, channel) };
  },
});

const members = method({
  name: 'conversations.members',
  tokens: ['bot'],
  scopes: READ,
  tier: 4,
  checks: ['channel_not_found', 'missing_scope', 'invalid_cursor'],
  unchecked: [],
  args: z.looseObject({ channel: z.string(), limit, cursor }),
  handle: (context, args) => {
    const channel = visibleChannel(context, args.channel);
    requireScopeFor(context, channel, 'read');
    const { page, next } = pageOf(context.store.channels.members(channel.id), args.limit, args.cursor);
    return { members: page, response_metadata: { next_cursor: next } };
  },
});

const open = method({
  name: 'conversations.open',
  tokens: ['bot'],
  scopes: ['im:write'],
  tier: 3,
  checks: ['user_not_found', 'not_enough_users', 'too_many_users', 'channel_not_found'],
  unchecked: ['conversations of several people: there are none', '`prevent_creation`'],
  args: z.looseObject({
    users: z.string().optional(),
    channel: z.string().optional(),
    return_im: flag.optional(),
  }),
  handle: (context, args) => {
    const ids = (args.users ?? '').split(',').filter((id) => id !== '');
    const [first, ...more] = ids;
    // Slack opens a group conversation (`mpim`) for two to eight people, which needs `mpim:write`. This app does not ask for
    // that scope and the workspace has none, so several people are refused as too many.
    if (more.length > 0) throw new SlackError('too_many_users');
    if (first === undefined && args.channel === undefined) throw new SlackError('not_enough_users');
    if (first !== undefined && !context.store.users.get(first)) throw new SlackError('user_not_found');
    const channel =
      first === undefined ? visibleChannel(context, args.channel ?? '') : openIm(context, first);
    return { channel: args.return_im ? presentChannel(context, channel) : { id: channel.id } };
  },
});

const join = method({
  name: 'conversations.join',
  tokens: ['bot'],
  scopes: ['channels:join'],
  tier: 3,
  checks: ['channel_not_found', 'is_archived', 'method_not_supported_for_channel_type'],
  unchecked: ['the warning `already_in_channel`'],
  args: channelOnly,
  handle: (context, args) => {
    const channel = visibleChannel(context, args.channel);
    if (channel.is_archived) throw new SlackError('is_archived');
    if (channel.is_private) throw new SlackError('method_not_supported_for_channel_type');
    if (joinChannel(context, channel, context.app.bot_user_id))
      announceJoin(context, channel, context.app.bot_user_id);
    return { channel: presentChannel(context, channel) };
  },
});

export const conversationsMethods: readonly Method[] = [list, mine, info, members, open, join];

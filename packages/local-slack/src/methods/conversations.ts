import { z } from 'zod';
import {
  joinedChannel,
  openIm,
  presentChannel,
  requireScope,
  requireScopeFor,
  SCOPE_FAMILY,
  visibleChannel,
} from '../conversations.ts';
import type { Channel, Message } from '../entities.ts';
import { SlackError } from '../errors.ts';
import { announceJoin, channelType } from '../events/announce.ts';
import { joinChannel } from '../messages/post.ts';
import { present } from '../messages/present.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { flag, type Method, method, timestamp, whole } from './method.ts';

/** A cursor that says to go on at `mark`, opaque to the caller. */
function makeCursor(mark: string): string {
  return Buffer.from(`next:${mark}`).toString('base64');
}

/** @throws SlackError `invalid_cursor` if it is none of ours. */
function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const text = Buffer.from(cursor, 'base64').toString();
  if (!text.startsWith('next:')) throw new SlackError('invalid_cursor');
  return text.slice('next:'.length);
}

/** One page of a list that is at hand as a whole; marks are positions. */
export function pageOf<T>(
  items: readonly T[],
  limit: number,
  cursor: string | undefined,
): { page: T[]; next: string } {
  const from = Number(readCursor(cursor) ?? 0);
  const end = from + limit;
  return { page: items.slice(from, end), next: end < items.length ? makeCursor(String(end)) : '' };
}

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

const SCOPES = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];
const START = '0';
const END = '9999999999.999999';

const moment = z.union([timestamp, z.string().regex(/^\d{1,12}(\.\d{1,6})?$/), z.number().transform(String)]);

const range = {
  oldest: moment.optional(),
  latest: moment.optional(),
  inclusive: flag.optional(),
  limit: whole.min(1).max(999).default(100),
  cursor: z.string().optional(),
  include_all_metadata: flag.default(false),
};

interface Bounds {
  oldest?: string | undefined;
  latest?: string | undefined;
  inclusive?: boolean | undefined;
}

/** Ten digits and six, so that moments compare as text; one step wider where bounds are included. */
function bounds({ oldest, latest, inclusive = false }: Bounds): { after: string; before: string } {
  const pad = (value: string, step: number) => {
    const [seconds = '0', fraction = ''] = value.split('.');
    const micros = Number(seconds) * 1_000_000 + Number(fraction.padEnd(6, '0')) + (inclusive ? step : 0);
    const digits = String(Math.max(0, micros)).padStart(16, '0');
    return `${digits.slice(0, 10)}.${digits.slice(10)}`;
  };
  return {
    after: oldest === undefined ? START : pad(oldest, -1),
    before: latest === undefined || Number(latest) === 0 ? END : pad(latest, 1),
  };
}

function later(a: string, b: string | undefined): string {
  return b !== undefined && b > a ? b : a;
}

function metadataOf(more: boolean, last: string | undefined): object {
  return more && last !== undefined ? { response_metadata: { next_cursor: makeCursor(last) } } : {};
}

const history = method({
  name: 'conversations.history',
  tokens: ['bot'],
  scopes: SCOPES,
  tier: 3,
  checks: ['channel_not_found', 'not_in_channel', 'missing_scope', 'invalid_cursor'],
  unchecked: ['the smaller pages and rates of apps that are distributed outside of the Marketplace'],
  args: z.looseObject({ channel: z.string(), ...range }),
  handle: (context, args) => {
    const channel = joinedChannel(context, args.channel);
    requireScopeFor(context, channel, 'history');
    const { after, before } = bounds(args);
    const until = readCursor(args.cursor) ?? before;
    const found = context.store.messages.topLevel(channel.id, {
      after,
      before: until,
      limit: args.limit + 1,
    });
    const page = found.slice(0, args.limit);
    const more = found.length > args.limit;
    return {
      messages: page.map((message) => present(context, channel.id, message, args.include_all_metadata)),
      has_more: more,
      pin_count: 0,
      channel_actions_ts: null,
      channel_actions_count: 0,
      ...metadataOf(more, page.at(-1)?.ts),
    };
  },
});

/**
 * The root of the thread that a message is in or begins.
 *
 * @throws SlackError `thread_not_found`.
 */
function rootOf(context: WorkspaceContext, channel: string, ts: string): Message {
  const { messages } = context.store;
  const root = messages.root(channel, messages.get(channel, ts)?.thread_ts ?? ts);
  if (!root) throw new SlackError('thread_not_found');
  return root;
}

const replies = method({
  name: 'conversations.replies',
  tokens: ['bot'],
  scopes: SCOPES,
  tier: 3,
  checks: ['channel_not_found', 'not_in_channel', 'missing_scope', 'thread_not_found', 'invalid_cursor'],
  unchecked: ['the smaller pages and rates of apps that are distributed outside of the Marketplace'],
  args: z.looseObject({ channel: z.string(), ts: timestamp, ...range }),
  handle: (context, args) => {
    const channel = joinedChannel(context, args.channel);
    requireScopeFor(context, channel, 'history');
    const root = rootOf(context, channel.id, args.ts);
    const mark = readCursor(args.cursor);
    const { after, before } = bounds(args);
    const found = context.store.messages.replies(channel.id, root.ts, {
      after: later(after, mark),
      before,
      limit: args.limit + 1,
    });
    const first = mark === undefined ? [root] : [];
    const page = [...first, ...found].slice(0, Math.max(args.limit, first.length));
    const more = first.length + found.length > page.length;
    return {
      messages: page.map((message) => present(context, channel.id, message, args.include_all_metadata)),
      has_more: more,
      ...metadataOf(more, page.at(-1)?.ts),
    };
  },
});

export const conversationsMethods: readonly Method[] = [
  list,
  mine,
  info,
  members,
  open,
  join,
  history,
  replies,
];

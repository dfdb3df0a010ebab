import { z } from 'zod';
import { joinedChannel, requireScopeFor } from '../conversations.ts';
import type { Message } from '../entities.ts';
import { present } from '../messages/present.ts';
import { SlackError } from '../slack-error.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { makeCursor, readCursor } from './cursor.ts';
import { flag, type Method, method, timestamp, whole } from './method.ts';

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

export const historyMethods: readonly Method[] = [history, replies];

import { z } from 'zod';
import { joinedChannel } from '../conversations.ts';
import type { Channel } from '../entities.ts';
import { present } from '../messages/present.ts';
import { SlackError } from '../slack-error.ts';
import { SESSION_STATUSES } from '../store/sessions.ts';
import { readGrowth } from '../streams/chunks.ts';
import { appendStream, startStream, stopStream } from '../streams/stream.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { readContent } from './chat-args.ts';
import { json, type Method, method, timestamp } from './method.ts';

// Slack's undocumented behaviour, as measured by others: a stream that began with text takes no
// chunks, nor the reverse (`streaming_mode_mismatch`); an open one refuses `chat.update` (`streaming_state_conflict`)
// and `chat.delete`; appends do not prolong it. The app hears of it as a `message` when it begins and as
// `message_changed` when it ends, each with its `streaming_state`; nothing in between.

const growth = { markdown_text: z.string().optional(), chunks: json.optional() };

const GROWTH_CHECKS = [
  'invalid_arguments',
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
] as const;

const CHANNEL_CHECKS = ['channel_not_found', 'not_in_channel', 'is_archived'] as const;

const OPEN_CHECKS = [
  'message_not_found',
  'message_not_owned_by_app',
  'message_not_in_streaming_state',
  'stopped_by_user',
  'streaming_mode_mismatch',
] as const;

function channelFor(context: WorkspaceContext, id: string): Channel {
  const channel = joinedChannel(context, id);
  if (channel.is_archived) throw new SlackError('is_archived');
  return channel;
}

interface Recipient {
  recipient_user_id: string;
  recipient_team_id: string;
}

/** Who sees the stream grow; in a conversation of two nobody need be named. */
function recipientIn(context: WorkspaceContext, { is_im }: Channel, to: Recipient): string | null {
  if (is_im) return null;
  if (to.recipient_user_id === '') throw new SlackError('missing_recipient_user_id');
  if (to.recipient_team_id === '') throw new SlackError('missing_recipient_team_id');
  if (!context.store.users.get(to.recipient_user_id)) throw new SlackError('user_not_found');
  return to.recipient_user_id;
}

const start = method({
  name: 'chat.startStream',
  tokens: ['bot'],
  scopes: ['chat:write'],
  tier: 2,
  checks: [
    ...GROWTH_CHECKS,
    ...CHANNEL_CHECKS,
    'missing_recipient_user_id',
    'missing_recipient_team_id',
    'user_not_found',
    'thread_not_found',
  ],
  unchecked: ['`username` and icons'],
  args: z.looseObject({
    channel: z.string(),
    thread_ts: timestamp,
    recipient_user_id: z.string().default(''),
    recipient_team_id: z.string().default(''),
    task_display_mode: z.enum(['timeline', 'plan']).default('timeline'),
    ...growth,
  }),
  handle: (context, args) => {
    const channel = channelFor(context, args.channel);
    const recipient = recipientIn(context, channel, args);
    const { thread_ts, task_display_mode: display } = args;
    const { ts } = startStream(context, { channel, thread_ts, recipient, display, growth: readGrowth(args) });
    return { channel: channel.id, ts };
  },
});

const append = method({
  name: 'chat.appendStream',
  tokens: ['bot'],
  scopes: ['chat:write'],
  tier: 4,
  checks: [...GROWTH_CHECKS, ...CHANNEL_CHECKS, ...OPEN_CHECKS, 'no_text'],
  unchecked: [],
  args: z.looseObject({ channel: z.string(), ts: timestamp, ...growth }),
  handle: (context, args) => {
    const channel = channelFor(context, args.channel);
    const more = readGrowth(args);
    if (more.mode === null) throw new SlackError('no_text');
    appendStream(context, channel, args.ts, more);
    return { channel: channel.id, ts: args.ts };
  },
});

const stop = method({
  name: 'chat.stopStream',
  tokens: ['bot'],
  scopes: ['chat:write'],
  tier: 2,
  checks: [...GROWTH_CHECKS, ...CHANNEL_CHECKS, ...OPEN_CHECKS, 'invalid_metadata_format'],
  unchecked: ['the size of metadata'],
  args: z.looseObject({
    channel: z.string(),
    ts: timestamp,
    blocks: json.optional(),
    metadata: json.optional(),
    session_status: z.enum(SESSION_STATUSES).default('active'),
    ...growth,
  }),
  handle: (context, args) => {
    const channel = channelFor(context, args.channel);
    const { blocks = [], metadata } = readContent(context, { blocks: args.blocks, metadata: args.metadata });
    const session = args.session_status;
    const ending = { growth: readGrowth(args), blocks, metadata, session };
    const message = stopStream(context, channel, args.ts, ending);
    return { channel: channel.id, ts: args.ts, message: present(context, channel.id, message, true) };
  },
});

export const chatStreamMethods: readonly Method[] = [start, append, stop];

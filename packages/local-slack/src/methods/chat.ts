import { z } from 'zod';
import { joinedChannel, postableChannel, requireScope, visibleChannel } from '../conversations.ts';
import type { Attachment, Block, Channel, Message, Metadata } from '../entities.ts';
import { SlackError } from '../errors.ts';
import { refuseBlocks } from '../faults.ts';
import { showFiles } from '../files/present.ts';
import { LIMITS } from '../limits.ts';
import { deleteMessage, editMessage } from '../messages/change.ts';
import { permalink } from '../messages/normalise.ts';
import { type Author, postMessage } from '../messages/post.ts';
import { present } from '../messages/present.ts';
import { SESSION_STATUSES } from '../store/people.ts';
import { appendStream, isStreaming, readGrowth, startStream, stopStream } from '../streams.ts';
import { checkAttachments, checkBlocks } from '../validate/check.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { flag, json, type Method, method, timestamp } from './method.ts';

/** The arguments with a message's content. */
const content = {
  text: z.string().optional(),
  blocks: json.optional(),
  attachments: json.optional(),
  metadata: json.optional(),
};

const EventMetadata = z.object({
  event_type: z.string().min(1),
  event_payload: z.record(z.string(), z.unknown()),
});

interface Content {
  text: string | undefined;
  blocks: Block[] | undefined;
  attachments: Attachment[] | undefined;
  metadata: Metadata | undefined;
}

interface RawContent {
  text?: string | undefined;
  blocks?: unknown;
  attachments?: unknown;
  metadata?: unknown;
}

/** What every method that takes content may refuse. */
const CONTENT_CHECKS = [
  'invalid_blocks_format',
  'invalid_blocks',
  'msg_blocks_too_long',
  'invalid_attachments',
  'too_many_attachments',
  'invalid_metadata_format',
] as const;

function checkMetadata(value: unknown): Metadata {
  const { data } = EventMetadata.safeParse(value);
  if (!data) throw new SlackError('invalid_metadata_format');
  return data;
}

/** Slack takes an empty string for "none". */
const given = (value: unknown) => value !== undefined && value !== '';

/** @throws SlackError one of `CONTENT_CHECKS`. */
export function readContent(context: WorkspaceContext, { text, metadata, ...raw }: RawContent): Content {
  const blocks = given(raw.blocks) ? checkBlocks(raw.blocks) : undefined;
  const attachments = given(raw.attachments) ? checkAttachments(raw.attachments) : undefined;
  if (blocks) refuseBlocks(context, blocks);
  showFiles(context, blocks, '/blocks', 'invalid_blocks');
  showFiles(context, attachments, '/attachments', 'invalid_blocks');
  return {
    text,
    blocks,
    attachments,
    metadata: given(metadata) ? checkMetadata(metadata) : undefined,
  };
}

/** @throws SlackError `message_not_found`. */
function messageIn(context: WorkspaceContext, channel: Channel, ts: string): Message {
  const message = context.store.messages.get(channel.id, ts);
  if (!message) throw new SlackError('message_not_found');
  return message;
}

/** @throws SlackError `message_not_found`, or `refusal` if another wrote it. */
function ownMessage(context: WorkspaceContext, channel: Channel, ts: string, refusal: string): Message {
  const message = messageIn(context, channel, ts);
  if (message.bot_id !== context.app.bot_id) throw new SlackError(refusal);
  return message;
}

const update = method({
  name: 'chat.update',
  tokens: ['bot'],
  scopes: ['chat:write'],
  tier: 3,
  checks: [
    ...CONTENT_CHECKS,
    'channel_not_found',
    'is_archived',
    'message_not_found',
    'cant_update_message',
    'streaming_state_conflict',
    'msg_too_long',
    'no_text',
  ],
  unchecked: [
    '`parse`, `link_names` and `markdown_text`',
    'fields and lengths of attachments, beside their blocks',
    'the size of metadata',
    'how old the message is (`edit_window_closed`)',
  ],
  args: z.looseObject({ channel: z.string(), ts: timestamp, ...content }),
  handle: (context, args) => {
    const channel = visibleChannel(context, args.channel);
    if (channel.is_archived) throw new SlackError('is_archived');
    const message = ownMessage(context, channel, args.ts, 'cant_update_message');
    if (isStreaming(context, channel.id, message.ts)) throw new SlackError('streaming_state_conflict');
    const edit = readContent(context, args);
    if (!edit.blocks && !edit.attachments && edit.text === undefined) throw new SlackError('no_text');
    if (Buffer.byteLength(edit.text ?? '') > LIMITS.updateText) throw new SlackError('msg_too_long');
    const next = editMessage(context, channel, message, edit);
    const shown = present(context, channel.id, next, true);
    return { channel: channel.id, ts: next.ts, text: next.text, message: shown };
  },
});

const remove = method({
  name: 'chat.delete',
  tokens: ['bot'],
  scopes: ['chat:write'],
  tier: 3,
  checks: ['channel_not_found', 'message_not_found', 'cant_delete_message'],
  unchecked: ['settings by which a workspace forbids it'],
  args: z.looseObject({ channel: z.string(), ts: timestamp }),
  handle: (context, args) => {
    const channel = visibleChannel(context, args.channel);
    const message = ownMessage(context, channel, args.ts, 'cant_delete_message');
    if (isStreaming(context, channel.id, message.ts)) throw new SlackError('cant_delete_message');
    deleteMessage(context, channel, message);
    return { channel: channel.id, ts: args.ts };
  },
});

const getPermalink = method({
  name: 'chat.getPermalink',
  tokens: ['bot'],
  scopes: [],
  tier: 4,
  checks: ['channel_not_found', 'not_in_channel', 'message_not_found'],
  unchecked: [],
  args: z.looseObject({ channel: z.string(), message_ts: timestamp }),
  handle: (context, args) => {
    const channel = joinedChannel(context, args.channel);
    const message = messageIn(context, channel, args.message_ts);
    return { channel: channel.id, permalink: permalink(context.pageUrl, channel.id, message) };
  },
});

const custom = {
  username: z.string().optional(),
  icon_emoji: z.string().optional(),
  icon_url: z.string().optional(),
};

interface Custom {
  username?: string | undefined;
  icon_emoji?: string | undefined;
  icon_url?: string | undefined;
}

function authorOf(context: WorkspaceContext, { username, icon_emoji, icon_url }: Custom): Author {
  if (username ?? icon_emoji ?? icon_url) requireScope(context, 'chat:write.customize');
  return { kind: 'app', username, icon: icon_emoji };
}

const postMessageMethod = method({
  name: 'chat.postMessage',
  tokens: ['bot'],
  scopes: ['chat:write'],
  tier: 'special',
  checks: [
    ...CONTENT_CHECKS,
    'channel_not_found',
    'not_in_channel',
    'is_archived',
    'restricted_action',
    'no_text',
    'thread_not_found',
    'missing_scope',
  ],
  unchecked: [
    '`parse`, `link_names`, `mrkdwn`, `as_user` and `markdown_text`',
    '`unfurl_links`: nothing is unfurled',
    'fields and lengths of attachments, beside their blocks',
    'the size of metadata',
  ],
  args: z.looseObject({
    channel: z.string(),
    thread_ts: timestamp.optional(),
    reply_broadcast: flag.optional(),
    ...content,
    ...custom,
  }),
  handle: (context, args) => {
    const channel = postableChannel(context, args.channel);
    const author = authorOf(context, args);
    const { text = '', ...rest } = readContent(context, args);
    context.rates.post(channel.id);
    const { thread_ts, reply_broadcast: broadcast } = args;
    const message = postMessage(context, { channel, author, text, thread_ts, broadcast, ...rest });
    return { channel: channel.id, ts: message.ts, message: present(context, channel.id, message, true) };
  },
});

const postEphemeral = method({
  name: 'chat.postEphemeral',
  tokens: ['bot'],
  scopes: ['chat:write'],
  tier: 4,
  checks: [
    ...CONTENT_CHECKS,
    'channel_not_found',
    'not_in_channel',
    'is_archived',
    'no_text',
    'thread_not_found',
    'user_not_in_channel',
    'missing_scope',
  ],
  unchecked: [
    '`parse`, `link_names` and `markdown_text`',
    'fields and lengths of attachments, beside their blocks',
    'whether the person is there to see it',
  ],
  args: z.looseObject({
    channel: z.string(),
    user: z.string(),
    thread_ts: timestamp.optional(),
    ...content,
    ...custom,
  }),
  handle: (context, args) => {
    const channel = joinedChannel(context, args.channel);
    if (channel.is_archived) throw new SlackError('is_archived');
    if (!context.store.channels.isMember(channel.id, args.user)) throw new SlackError('user_not_in_channel');
    const author = authorOf(context, args);
    const { text = '', ...rest } = readContent(context, args);
    const { thread_ts, user: ephemeralTo } = args;
    return {
      message_ts: postMessage(context, { channel, author, text, thread_ts, ephemeralTo, ...rest }).ts,
    };
  },
});

// Slack's undocumented behavior, as measured by others: a stream that began with text takes no
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

export const chatMethods: readonly Method[] = [
  update,
  remove,
  getPermalink,
  postMessageMethod,
  postEphemeral,
  start,
  append,
  stop,
];

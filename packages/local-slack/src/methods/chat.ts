import { z } from 'zod';
import { joinedChannel, visibleChannel } from '../conversations.ts';
import type { Channel, Message } from '../entities.ts';
import { LIMITS } from '../limits.ts';
import { deleteMessage, editMessage } from '../messages/change.ts';
import { permalink } from '../messages/permalink.ts';
import { present } from '../messages/present.ts';
import { SlackError } from '../slack-error.ts';
import { isStreaming } from '../streams/stream.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { CONTENT_CHECKS, content, readContent } from './chat-args.ts';
import { type Method, method, timestamp } from './method.ts';

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

export const chatMethods: readonly Method[] = [update, remove, getPermalink];

import type { Channel, Message } from './entities.ts';
import { newId } from './ids.ts';
import { deleteMessage, editMessage } from './messages/change.ts';
import { richTextOf } from './messages/rich-text.ts';
import { Attachments, Blocks, channelOf } from './post-as.ts';
import { SlackError } from './slack-error.ts';
import type { EditInput } from './workspace.ts';
import type { WorkspaceContext } from './workspace-context.ts';

interface MessageMatch {
  channel: Channel;
  message: Message;
}

/** @throws SlackError `channel_not_found`, `is_archived`, `message_not_found`, or `refusal` of the app's own. */
function messageOfOthers(context: WorkspaceContext, ref: string, ts: string, refusal: string): MessageMatch {
  const channel = channelOf(context, ref);
  if (channel.is_archived) throw new SlackError('is_archived');
  const message = context.store.messages.get(channel.id, ts);
  if (!message) throw new SlackError('message_not_found');
  if (message.bot_id === context.app.bot_id) throw new SlackError(refusal);
  return { channel, message };
}

/**
 * Changes a message as its author: a person, an incoming webhook, another app. The app hears of it as
 * `message_changed`. As in Slack, a new text takes the old blocks away where none come with it.
 *
 * @throws SlackError `channel_not_found`, `is_archived`, `message_not_found`, `cant_update_message`, `no_text`.
 */
export async function editAs(context: WorkspaceContext, input: EditInput): Promise<void> {
  const { channel, message } = messageOfOthers(context, input.channel, input.ts, 'cant_update_message');
  const { text, blocks, attachments } = input;
  const isTyped = message.bot_id === undefined && text !== undefined && blocks === undefined;
  editMessage(context, channel, message, {
    text,
    // What a person types comes with the rich text of their client.
    blocks: isTyped ? [richTextOf(text, newId(context.random, '', 5))] : blocks && Blocks.parse(blocks),
    attachments: attachments && Attachments.parse(attachments),
    unfurl: input.unfurl,
  });
}

/**
 * Deletes a message as its author; the app hears of it as `message_deleted`, or, where replies keep the message as
 * a tombstone, as `message_changed`.
 *
 * @throws SlackError `channel_not_found`, `is_archived`, `message_not_found`, `cant_delete_message`.
 */
export async function removeAs(context: WorkspaceContext, ref: string, ts: string): Promise<void> {
  const { channel, message } = messageOfOthers(context, ref, ts, 'cant_delete_message');
  deleteMessage(context, channel, message);
}

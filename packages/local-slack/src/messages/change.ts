import type { Attachment, Block, Channel, Message, Metadata } from '../entities.ts';
import { SlackError } from '../errors.ts';
import { announceDeletion, announceEdit, announceReaction } from '../events/announce.ts';
import { newId } from '../ids.ts';
import type { EditInput } from '../workspace.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { fallbackText, normaliseAttachments, normaliseBlocks, richTextOf } from './normalise.ts';
import { Attachments, Blocks, channelOf, showAgain } from './post.ts';
import { presentOnPage } from './present.ts';

/** What an edit brings; a field that is absent is not touched, but see `editMessage`. */
export interface Edit {
  text?: string | undefined;
  blocks?: readonly Block[] | undefined;
  attachments?: readonly Attachment[] | undefined;
  metadata?: Metadata | undefined;
  /** Slack itself adds the preview of a link. */
  unfurl?: boolean | undefined;
}

/**
 * A message after an edit. As in Slack: blocks stay only if neither blocks nor a text come,
 * attachments and metadata where none come.
 *
 * @throws SlackError `no_text` if nothing would be left.
 */
function edited(context: WorkspaceContext, message: Message, edit: Edit): Message {
  const { blocks: oldBlocks, attachments: oldAttachments, ...rest } = message;
  const blocks = edit.blocks
    ? normaliseBlocks(context.random, edit.blocks, oldBlocks)
    : edit.text === undefined
      ? oldBlocks
      : undefined;
  const attachments = edit.attachments
    ? normaliseAttachments(context.random, edit.attachments)
    : oldAttachments;
  const text = edit.text ?? (edit.blocks?.length ? fallbackText(edit.blocks) : message.text);
  if (text === '' && !blocks?.length && !attachments?.length && !message.file_ids)
    throw new SlackError('no_text');
  return {
    ...rest,
    text,
    ...(blocks && blocks.length > 0 && { blocks }),
    ...(attachments && attachments.length > 0 && { attachments }),
    ...(edit.metadata && { metadata: edit.metadata }),
  };
}

/** Changes a message in place, shows it, and tells the app. */
export function editMessage(
  context: WorkspaceContext,
  channel: Channel,
  message: Message,
  edit: Edit,
): Message {
  const { store, app, clock } = context;
  const by = message.user ?? (message.app_id === undefined ? undefined : app.bot_user_id);
  const next: Message = {
    ...edited(context, message, edit),
    // An incoming webhook has no author to name.
    ...(by !== undefined && !edit.unfurl && { edited: { user: by, ts: store.messages.nextTs(clock.now()) } }),
  };
  store.messages.replace(channel.id, next);
  showAgain(context, channel.id, next);
  announceEdit(context, channel, next, message);
  return next;
}

/** Changes an ephemeral message; no event is sent. */
export function editEphemeral(
  context: WorkspaceContext,
  channel: Channel,
  message: Message,
  to: string,
  edit: Edit,
): void {
  const next = edited(context, message, edit);
  context.store.messages.replace(channel.id, next);
  const shown = presentOnPage(context, channel.id, next, to);
  context.page.emit({ type: 'message_changed', channel: channel.id, message: shown });
}

/**
 * Deletes a message; `silent` for an ephemeral one. As in Slack, a thread's root with replies becomes
 * a tombstone, of which the app hears as a change.
 */
export function deleteMessage(
  context: WorkspaceContext,
  channel: Channel,
  message: Message,
  silent = false,
): void {
  const { messages } = context.store;
  messages.remove(channel.id, message.ts);
  context.store.files.unshare({ channel: channel.id, ts: message.ts });
  const tombstone = messages.root(channel.id, message.ts);
  if (tombstone) {
    showAgain(context, channel.id, tombstone);
    announceEdit(context, channel, tombstone, message);
    return;
  }
  context.page.emit({
    type: 'message_deleted',
    channel: channel.id,
    ts: message.ts,
    ...(message.thread_ts !== undefined && { thread_ts: message.thread_ts }),
  });
  const root = message.thread_ts === undefined ? undefined : messages.get(channel.id, message.thread_ts);
  if (root) showAgain(context, channel.id, root);
  if (!silent) announceDeletion(context, channel, message);
}

interface ReactionChange {
  user: string;
  /** With or without its colons. */
  name: string;
  on: boolean;
}

/** `:eyes:` and `eyes` are one; anything that no emoji is called is refused. */
function emojiName(raw: string): string {
  const name = raw.replace(/^:|:$/g, '');
  if (!/^[a-z0-9_+'-]{1,100}(::skin-tone-[2-6])?$/.test(name)) throw new SlackError('invalid_name');
  return name;
}

/**
 * Puts an emoji on a message or takes it away, shows it, and tells the app.
 *
 * @throws SlackError `invalid_name`, `already_reacted`, `no_reaction`.
 */
export function setReaction(
  context: WorkspaceContext,
  channel: Channel,
  message: Message,
  change: ReactionChange,
): void {
  const { user, on } = change;
  const reaction = emojiName(change.name);
  const { reactions } = context.store;
  const isNew = on
    ? reactions.add(channel.id, message.ts, reaction, user)
    : reactions.remove(channel.id, message.ts, reaction, user);
  if (!isNew) throw new SlackError(on ? 'already_reacted' : 'no_reaction');
  showAgain(context, channel.id, message);
  announceReaction(context, channel, message, {
    type: on ? 'reaction_added' : 'reaction_removed',
    user,
    reaction,
  });
}

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

import type { Attachment, Block, Channel, Message, Metadata } from '../entities.ts';
import { announceDeletion, announceEdit } from '../events/announce.ts';
import { SlackError } from '../slack-error.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { fallbackText, normaliseAttachments, normaliseBlocks } from './normalise.ts';
import { showAgain } from './post.ts';
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

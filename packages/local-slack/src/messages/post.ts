import { noteInSession } from '../agent/sessions.ts';
import { noteMessage } from '../assistant/threads.ts';
import type { Attachment, Block, Channel, Message, Metadata } from '../entities.ts';
import { announceMessage } from '../events/announce.ts';
import { SlackError } from '../slack-error.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { type Author, authorFields } from './authors.ts';
import { cutText, fallbackText, normaliseAttachments, normaliseBlocks } from './normalise.ts';
import { presentOnPage } from './present.ts';

/** A message to be; `blocks` and `attachments` have passed `validate/`. */
export interface Draft {
  channel: Channel;
  author: Author;
  text: string;
  blocks?: readonly Block[] | undefined;
  attachments?: readonly Attachment[] | undefined;
  thread_ts?: string | undefined;
  broadcast?: boolean | undefined;
  metadata?: Metadata | undefined;
  /** The files that it shows. */
  file_ids?: readonly string[] | undefined;
  /** The only person who sees it. */
  ephemeralTo?: string | undefined;
  /** Of a stream, which may begin with nothing: called before anybody sees it. */
  streaming?: ((ts: string) => void) | undefined;
}

/**
 * Where a reply goes: the thread of the message it names. A reply to a deleted message lands at the
 * top level, as in Slack.
 *
 * @throws SlackError `thread_not_found` if there never was such a message.
 */
function threadOf(context: WorkspaceContext, channel: string, ts: string | undefined): Message | undefined {
  if (ts === undefined) return undefined;
  const { messages } = context.store;
  const parent = messages.get(channel, ts);
  if (parent) return parent.thread_ts === undefined ? parent : messages.get(channel, parent.thread_ts);
  if (messages.wasDeleted(channel, ts)) return undefined;
  throw new SlackError('thread_not_found');
}

/**
 * Stores a message, shows it on the page and tells the app.
 *
 * @throws SlackError `no_text`, `thread_not_found`.
 */
export function postMessage(context: WorkspaceContext, draft: Draft): Message {
  const { store, random, clock } = context;
  const { channel, blocks = [], attachments = [], file_ids = [] } = draft;
  if (
    !draft.streaming &&
    draft.text === '' &&
    [blocks, attachments, file_ids].every(({ length }) => length === 0)
  )
    throw new SlackError('no_text');
  const root = threadOf(context, channel.id, draft.thread_ts);
  const text = cutText(draft.text);
  const message: Message = {
    type: 'message',
    text: text === '' ? fallbackText(blocks) : text,
    ...authorFields(context, draft.author, text),
    ts: store.messages.nextTs(clock.now()),
    ...(blocks.length > 0 && { blocks: normaliseBlocks(random, blocks) }),
    ...(attachments.length > 0 && { attachments: normaliseAttachments(random, attachments) }),
    ...(file_ids.length > 0 && { file_ids: [...file_ids] }),
    ...(root && { thread_ts: root.ts, ...(root.user !== undefined && { parent_user_id: root.user }) }),
    ...(root && draft.broadcast && { subtype: 'thread_broadcast' }),
    ...(draft.metadata && { metadata: draft.metadata }),
    ...(draft.streaming && { streaming_state: 'in_progress' }),
  };
  draft.streaming?.(message.ts);
  store.messages.insert(channel.id, message, draft.ephemeralTo);
  for (const id of file_ids) store.files.share(id, { channel: channel.id, ts: message.ts });
  context.page.emit({
    type: 'message',
    channel: channel.id,
    message: presentOnPage(context, channel.id, message, draft.ephemeralTo),
  });
  if (draft.ephemeralTo !== undefined) return message;
  if (root) showAgain(context, channel.id, root);
  noteMessage(context, channel, message);
  noteInSession(context, channel, message);
  announceMessage(context, channel, message);
  return message;
}

/** Tells the page that a message looks different now: edited, reacted to, replied to. */
export function showAgain(context: WorkspaceContext, channel: string, message: Message): void {
  context.page.emit({ type: 'message_changed', channel, message: presentOnPage(context, channel, message) });
}

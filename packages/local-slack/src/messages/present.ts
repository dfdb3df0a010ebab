import type { Message } from '../entities.ts';
import { pageFilesOf, withFiles } from '../files/present.ts';
import type { PageMessage } from '../page-api.ts';
import type { Reaction } from '../store/messages.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

/** What a thread's root says of its replies; nothing of other messages. */
export function threadFacts(
  { store, app }: WorkspaceContext,
  channel: string,
  { ts, thread_ts }: Message,
): object {
  const thread = thread_ts === undefined ? store.messages.thread(channel, ts) : undefined;
  if (!thread) return {};
  const reply_users = store.messages.repliers(channel, ts);
  return {
    thread_ts: ts,
    reply_count: thread.reply_count,
    reply_users_count: reply_users.length,
    latest_reply: thread.latest_reply,
    reply_users,
    is_locked: false,
    subscribed: reply_users.includes(app.bot_user_id),
  };
}

/** A reply that is shown in the channel too bears the root of its thread. */
export function broadcastRoot(
  context: WorkspaceContext,
  channel: string,
  { subtype, thread_ts }: Message,
): object {
  if (subtype !== 'thread_broadcast' || thread_ts === undefined) return {};
  const stored = context.store.messages.root(channel, thread_ts);
  if (!stored) return {};
  const { metadata: _, ...root } = stored;
  return { root: { ...withFiles(context, root), ...threadFacts(context, channel, root) } };
}

/** A message as the Web API gives it: with reactions and, on a thread's root, its counts. */
export function present(
  context: WorkspaceContext,
  channel: string,
  stored: Message,
  withMetadata = false,
): object {
  const { metadata, ...message } = stored;
  const reactions = context.store.reactions.of(channel, message.ts);
  return {
    ...withFiles(context, message),
    ...(reactions.length > 0 && { reactions }),
    ...threadFacts(context, channel, message),
    ...broadcastRoot(context, channel, message),
    ...(withMetadata && metadata && { metadata }),
  };
}

/** Of a message that still grows: in a channel others than its recipient see what it began with. */
function streamFacts({ store }: WorkspaceContext, channel: string, ts: string): Partial<PageMessage> {
  const { recipient = null, began = '' } = store.streams.get(channel, ts) ?? {};
  return { streaming: true, ...(recipient !== null && { streaming_to: recipient, began }) };
}

/**
 * A message as the page shows it.
 *
 * @param reactions those of the message, where they have been read with others
 */
export function presentOnPage(
  context: WorkspaceContext,
  channel: string,
  stored: Message,
  ephemeralTo: string | null = null,
  reactions: Reaction[] = context.store.reactions.of(channel, stored.ts),
): PageMessage {
  const { store } = context;
  const { bot_profile, file_ids: _ids, streaming_state, ...message } = stored;
  const files = pageFilesOf(context, stored);
  const thread = message.thread_ts === undefined ? store.messages.thread(channel, message.ts) : undefined;
  // Other apps are no users of this workspace: the page knows them by no list.
  const listed = message.user !== undefined && store.users.get(message.user) !== undefined;
  const username = message.username ?? (listed ? undefined : bot_profile?.name);
  return {
    ...message,
    channel,
    ...(username !== undefined && { username }),
    ...(files.length > 0 && { files }),
    ...(reactions.length > 0 && { reactions }),
    ...(thread && {
      thread_ts: message.ts,
      reply_count: thread.reply_count,
      latest_reply: thread.latest_reply,
    }),
    ...(ephemeralTo !== null && { ephemeral_to: ephemeralTo }),
    ...(streaming_state === 'in_progress' && streamFacts(context, channel, stored.ts)),
  };
}

import { joinedChannel, openIm } from '../conversations.ts';
import type { Block, Channel } from '../entities.ts';
import { announceFile } from '../events/announce.ts';
import { postMessage } from '../messages/post.ts';
import { SlackError } from '../slack-error.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import type { StoredFile } from './file.ts';

/** What an upload is completed with. */
export interface Completion {
  files: readonly { id: string; title?: string | undefined; alt?: string | undefined }[];
  /** Ids of channels, or of people for their conversations with the app. */
  channels: readonly string[];
  thread_ts?: string | undefined;
  comment: string;
  blocks?: readonly Block[] | undefined;
}

function target(context: WorkspaceContext, id: string): Channel {
  const person = context.store.users.get(id);
  const channel = person && !person.is_bot ? openIm(context, person.id) : joinedChannel(context, id);
  if (channel.is_archived) throw new SlackError('is_archived');
  return channel;
}

/** Slack has looked at the file. */
function settle(context: WorkspaceContext, id: string): StoredFile | undefined {
  const file = context.store.files.get(id);
  if (file?.state !== 'complete') return undefined;
  const settled = { ...file, ready_at: Math.min(file.ready_at, context.clock.now()) };
  context.store.files.put(settled);
  return settled;
}

function share(
  context: WorkspaceContext,
  channel: Channel,
  ids: readonly string[],
  completion: Completion,
): void {
  const { comment: text, blocks, thread_ts } = completion;
  const file_ids = ids.filter((id) => context.store.files.get(id)?.state === 'complete');
  if (file_ids.length === 0) return;
  postMessage(context, { channel, author: { kind: 'app' }, text, blocks, thread_ts, file_ids });
  for (const id of file_ids) announceFile(context, channel, id, context.app.bot_user_id);
}

/**
 * Completes uploaded files. As in Slack, the message that shows them follows a moment later, once their type is
 * known; without a channel they stay the app's own.
 *
 * @throws SlackError `file_not_found`, `channel_not_found`, `not_in_channel`, `is_archived`, `thread_not_found`.
 */
export function completeUpload(context: WorkspaceContext, completion: Completion): StoredFile[] {
  const { store, clock, jobs, fileDelay } = context;
  const channels = completion.channels.map((id) => target(context, id));
  const { thread_ts } = completion;
  const uploaded = completion.files.map(({ id, title, alt }) => {
    const file = store.files.get(id);
    if (file?.state !== 'uploaded') throw new SlackError('file_not_found');
    return { ...file, title: title || file.title, alt: alt || file.alt };
  });
  if (thread_ts !== undefined && channels.some(({ id }) => !store.messages.root(id, thread_ts))) {
    throw new SlackError('thread_not_found');
  }
  const ready_at = Math.ceil(clock.now() + fileDelay);
  const files = uploaded.map((file): StoredFile => ({ ...file, state: 'complete', ready_at }));
  const ids = files.map(({ id }) => id);
  for (const file of files) store.files.put(file);
  // A file that is about to be shown is not dropped meanwhile.
  if (channels.length > 0) for (const id of ids) store.files.use(id);
  jobs.later(fileDelay, () => {
    for (const id of ids) settle(context, id);
    for (const channel of channels) share(context, channel, ids, completion);
  });
  return files;
}

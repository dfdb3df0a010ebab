import { joinedChannel, openIm } from '../conversations.ts';
import type { Block, Channel } from '../entities.ts';
import { announceFile } from '../events/announce-file.ts';
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

function target(world: WorkspaceContext, id: string): Channel {
  const person = world.store.users.get(id);
  const channel = person && !person.is_bot ? openIm(world, person.id) : joinedChannel(world, id);
  if (channel.is_archived) throw new SlackError('is_archived');
  return channel;
}

/** Slack has looked at the file. */
function settle(world: WorkspaceContext, id: string): StoredFile | undefined {
  const file = world.store.files.get(id);
  if (file?.state !== 'complete') return undefined;
  const settled = { ...file, ready_at: Math.min(file.ready_at, world.clock.now()) };
  world.store.files.put(settled);
  return settled;
}

function share(
  world: WorkspaceContext,
  channel: Channel,
  ids: readonly string[],
  completion: Completion,
): void {
  const { comment: text, blocks, thread_ts } = completion;
  const file_ids = ids.filter((id) => world.store.files.get(id)?.state === 'complete');
  if (file_ids.length === 0) return;
  postMessage(world, { channel, author: { kind: 'app' }, text, blocks, thread_ts, file_ids });
  for (const id of file_ids) announceFile(world, channel, id, world.app.bot_user_id);
}

/**
 * Takes uploaded files into use. As in Slack, the message that shows them comes a moment later, once their kind is
 * known; without a channel they stay the app's own.
 *
 * @throws SlackError `file_not_found`, `channel_not_found`, `not_in_channel`, `is_archived`, `thread_not_found`.
 */
export function completeUpload(world: WorkspaceContext, completion: Completion): StoredFile[] {
  const { store, clock, jobs, fileDelay } = world;
  const channels = completion.channels.map((id) => target(world, id));
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
  // What somebody is about to see is not dropped meanwhile.
  if (channels.length > 0) for (const id of ids) store.files.use(id);
  jobs.later(fileDelay, () => {
    for (const id of ids) settle(world, id);
    for (const channel of channels) share(world, channel, ids, completion);
  });
  return files;
}

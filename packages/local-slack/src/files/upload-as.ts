import type { User } from '../entities.ts';
import { announceFile } from '../events/announce.ts';
import { newHex, newId } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { postMessage } from '../messages/post.ts';
import { channelOf } from '../post-as.ts';
import { SlackError } from '../slack-error.ts';
import type { UploadInput } from '../workspace.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import type { StoredFile } from './file.ts';
import { inspect } from './inspect.ts';
import { makeRoom } from './room.ts';

type NewFile = UploadInput['files'][number];

/** What Slack's client has uploaded and Slack has looked at, before the person sends it. */
function keepFile(
  context: WorkspaceContext,
  { id: user }: User,
  { name, content, mimetype }: NewFile,
): string {
  const { store, random, clock } = context;
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content);
  if (!makeRoom(context, bytes.length)) throw new SlackError('storage_limit_reached');
  const found = inspect(name, bytes);
  const id = newId(random, 'F');
  const isSnippet = found.text !== null && bytes.length <= LIMITS.snippet;
  const file: StoredFile = {
    id,
    ticket: newHex(random, 24),
    name,
    title: name,
    alt: '',
    snippet_type: isSnippet ? found.kind.filetype : '',
    user,
    created: Math.floor(clock.now() / 1000),
    size: bytes.length,
    state: 'complete',
    ready_at: Math.floor(clock.now()),
    ...found,
    kind: mimetype === undefined ? found.kind : { ...found.kind, mimetype },
  };
  store.files.put(file);
  store.files.keep(id, bytes);
  // None of it is dropped to make room for the next.
  store.files.use(id);
  return id;
}

/**
 * Posts as a person, with files. The app hears of the message as `file_share`, and of each file as `file_shared`.
 *
 * @throws SlackError `user_not_found`, `channel_not_found`, `is_archived`, `thread_not_found`, `no_text` if there
 *   is no file, `storage_limit_reached`.
 */
export async function uploadAs(context: WorkspaceContext, input: UploadInput): Promise<{ ts: string }> {
  const channel = channelOf(context, input.channel);
  if (channel.is_archived) throw new SlackError('is_archived');
  const user = context.store.users.get(input.user);
  if (!user) throw new SlackError('user_not_found');
  if (input.files.length === 0) throw new SlackError('no_text');
  const file_ids = input.files.map((file) => keepFile(context, user, file));
  const { ts } = postMessage(context, {
    channel,
    author: { kind: 'person', user },
    text: input.text ?? '',
    thread_ts: input.thread_ts,
    file_ids,
  });
  for (const id of file_ids) announceFile(context, channel, id, user.id);
  return { ts };
}

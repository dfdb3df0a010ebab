import type { IncomingMessage } from 'node:http';
import { joinedChannel, openIm } from '../conversations.ts';
import type { Block, Channel, User } from '../entities.ts';
import { SlackError } from '../errors.ts';
import { announceFile } from '../events/announce.ts';
import { readBytes } from '../http/body.ts';
import { newHex, newId } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { deleteMessage } from '../messages/change.ts';
import { channelOf, postMessage, showAgain } from '../messages/post.ts';
import type { UploadInput } from '../workspace.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { inspect, type StoredFile } from './inspect.ts';

/** What a multipart body has besides the file. */
const ENVELOPE = 64 * 1024;

/** The bytes cannot be taken; Slack says so with a status. */
export class UploadError extends Error {
  override name = 'UploadError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A multipart body's first field, whatever it is called; any other body is the file itself. */
async function contentOf(request: IncomingMessage, largest: number): Promise<Buffer> {
  const bytes = await readBytes(request, largest);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return bytes;
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const fields = [...form.values()];
  const field = fields.find((value) => typeof value !== 'string') ?? fields[0] ?? '';
  return typeof field === 'string' ? Buffer.from(field) : Buffer.from(await field.arrayBuffer());
}

/**
 * Takes a file's bytes at the address that `files.getUploadURLExternal` gave.
 *
 * @throws UploadError if nothing is awaited there, or the bytes are not as many as announced.
 */
export async function takeUpload(
  context: WorkspaceContext,
  ticket: string,
  request: IncomingMessage,
): Promise<StoredFile> {
  const { files } = context.store;
  const awaited = (): StoredFile => {
    const file = files.byTicket(ticket);
    if (file?.state === 'awaited' || file?.state === 'uploaded') return file;
    throw new UploadError(404, 'No upload is expected at this address.');
  };
  const { size, name } = awaited();
  const bytes = await contentOf(request, size + ENVELOPE).catch((cause: unknown) => {
    throw new UploadError(400, `The body cannot be read: ${cause instanceof Error ? cause.message : cause}`);
  });
  if (bytes.length !== size) {
    throw new UploadError(400, `${size} bytes were announced, but ${bytes.length} arrived.`);
  }
  if (!makeRoom(context, size)) throw new UploadError(507, 'The workspace has no space left for this file.');
  const file: StoredFile = { ...awaited(), state: 'uploaded', ...inspect(name, bytes) };
  files.put(file);
  files.keep(file.id, bytes);
  return file;
}

/** A file is gone: its bytes are forgotten, its name stays as a tombstone. */
function forget({ store }: WorkspaceContext, file: StoredFile): void {
  store.files.put({ ...file, state: 'deleted' });
  store.files.keep(file.id, null);
}

/**
 * Makes room for as many bytes: the oldest files that nobody can see are dropped.
 *
 * @returns whether there is room now.
 */
function makeRoom(context: WorkspaceContext, needed: number): boolean {
  const { store, storage } = context;
  let over = store.files.taken() + needed - storage;
  for (const file of store.files.all().reverse()) {
    if (over <= 0) break;
    const bytes = store.files.bytes(file.id);
    if (!bytes || store.files.isUsed(file.id)) continue;
    forget(context, file);
    over -= bytes.length;
  }
  return over <= 0;
}

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

/** Deletes a file; messages that showed nothing else go with it, in others a tombstone takes its place. */
export function removeFile(context: WorkspaceContext, file: StoredFile): void {
  const { store } = context;
  forget(context, file);
  for (const { channel: channelId, ts } of store.files.sharesOf(file.id)) {
    const channel = store.channels.get(channelId);
    const message = store.messages.get(channelId, ts);
    if (!channel || !message) continue;
    const left = (message.file_ids ?? []).some((id) => store.files.get(id)?.state === 'complete');
    if (left || message.text !== '' || message.blocks) showAgain(context, channelId, message);
    else deleteMessage(context, channel, message);
  }
}

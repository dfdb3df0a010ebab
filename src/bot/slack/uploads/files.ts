import { createHash } from 'node:crypto';
import type { Checkpoint } from '../../../lib/clock.ts';
import { limits } from '../../render/limits.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import { call, type Slack, TooEarly } from '../delivery/calls.ts';
import type { Content } from '../delivery/content.ts';
import { pagesOf } from '../delivery/messages.ts';
import type { Call } from '../delivery/pace.ts';
import { readSent } from '../delivery/sent.ts';
import { classifySlackError } from '../errors.ts';

const UPLOAD_TIMEOUT_MS = 60_000;

interface Upload {
  name: string;
  bytes: Uint8Array;
}

/** The upload to Slack failed; nothing is visible to anybody. */
class UploadError extends Error {
  override name = 'UploadError';
}

/**
 * Uploads bytes to Slack. Nobody can see them until the upload is completed.
 *
 * @returns the file's id.
 * @throws TooEarly, UploadError, or what the Web API client throws.
 */
export async function uploadBytes(slack: Slack, { name, bytes }: Upload): Promise<string> {
  const answer = await call(slack, { method: 'files.getUploadURLExternal', channel: '' }, (client) =>
    client.files.getUploadURLExternal({
      filename: name,
      length: bytes.byteLength,
    }),
  );
  const { upload_url: url, file_id: fileId } = answer;
  if (url === undefined || fileId === undefined)
    throw new UploadError('Slack answered files.getUploadURLExternal without an address');
  const { fetch = globalThis.fetch } = slack;
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Blob([new Uint8Array(bytes)]),
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new UploadError(`could not upload “${name}” to Slack; retrying`, { cause: error });
  });
  if (!response.ok)
    throw new UploadError(`Slack answered HTTP ${response.status} to the upload of “${name}”; retrying`);
  return fileId;
}

/** A reference to the key, for the title of a shared file, by which it is recognized in a thread. */
export function referenceOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 10);
}

/** The log fields for a failure: one sentence for a broken-off upload, the whole error for anything else. */
export function reasonOf(error: unknown): { reason: string } | { err: unknown } {
  if (!(error instanceof UploadError)) return { err: error };
  const { cause, message } = error;
  return { reason: cause instanceof Error ? `${message} (${cause.message})` : message };
}

/** A completed file shows up in the channel a little after Slack's response. */
const SHOWN_WITHIN_MS = 30_000;
const LOOK_AGAIN_MS = 2_000;

interface ShareOptions {
  slack: Slack;
  store: Store;
  checkpoint: Checkpoint;
}

/** Shares a file in a thread, once: its title carries a reference to its key. */
export async function shareFile(
  row: OutboxRow,
  content: Content & { kind: 'file' },
  { slack, store, checkpoint }: ShareOptions,
): Promise<void> {
  const sent = readSent(row.sent);
  if (sent !== null && sent.length > 0) return;
  const { channel, threadTs, name, bytes } = content;
  const reference = referenceOf(row.key);
  const isInDoubt = row.sending !== null || sent === null;
  if (isInDoubt && (await isThere(row, content, reference, { slack, store }))) {
    return record(row, row.key, { store, checkpoint });
  }
  // Checked before the intent is marked as sending: waiting for the rate limit must not look like an unknown outcome.
  const completing: Call = { method: 'files.completeUploadExternal', channel };
  const earliest = slack.pace.earliest(completing, slack.clock.now());
  if (earliest > slack.clock.now()) throw new TooEarly(earliest);
  const id = await uploadBytes(slack, { name, bytes });
  await checkpoint('file: uploaded');
  await store.transaction(async (tx) => {
    await tx.files.sharing(row.key, row.issueId, id, slack.clock.now() + SHOWN_WITHIN_MS);
    await tx.outbox.sending(row.key, 0);
  });
  const title = `${content.title.slice(0, limits.fileTitle - reference.length - 3)} · ${reference}`;
  await call(slack, completing, (client) =>
    client.files.completeUploadExternal({
      files: [{ id, title }],
      channel_id: channel,
      ...(threadTs === null ? {} : { thread_ts: threadTs }),
    }),
  ).catch(async (error: unknown) => {
    const isUnknown = !(error instanceof TooEarly) && classifySlackError(error).kind === 'ambiguous';
    if (!isUnknown) await store.outbox.notSending(row.key);
    throw error;
  });
  await checkpoint('file: sent');
  await record(row, id, { store, checkpoint });
}

async function record(
  row: OutboxRow,
  what: string,
  { store, checkpoint }: Pick<ShareOptions, 'store' | 'checkpoint'>,
): Promise<void> {
  await store.transaction(async (tx) => {
    // Slack does not say which message shared the file.
    await tx.outbox.recordSent(row.key, JSON.stringify([{ ts: '', hash: what }]));
    await tx.files.ready(row.key);
  });
  await checkpoint('file: recorded');
}

/**
 * After a share whose outcome is unknown: whether the file is in the thread.
 *
 * @throws TooEarly while Slack has the file and may still show it.
 */
async function isThere(
  row: OutboxRow,
  { channel, threadTs }: Content & { kind: 'file' },
  reference: string,
  { slack, store }: Pick<ShareOptions, 'slack' | 'store'>,
): Promise<boolean> {
  for await (const message of pagesOf(slack, { channel, threadTs }, row.createdAt)) {
    if (message.files?.some(({ title }) => title?.endsWith(reference))) return true;
  }
  const file = await store.files.get(row.key);
  const now = slack.clock.now();
  if (file?.fileId && now < file.nextAt && (await isKnown(file.fileId, slack)))
    throw new TooEarly(now + LOOK_AGAIN_MS);
  return false;
}

async function isKnown(fileId: string, slack: Slack): Promise<boolean> {
  try {
    await call(slack, { method: 'files.info', channel: '' }, (client) => client.files.info({ file: fileId }));
    return true;
  } catch (error) {
    if (classifySlackError(error).kind === 'refused') return false;
    throw error;
  }
}

import { createHash } from 'node:crypto';
import { call, type Slack } from '../delivery/calls.ts';

const UPLOAD_TIMEOUT_MS = 60_000;

/** A file to upload. */
export interface Upload {
  name: string;
  bytes: Uint8Array;
  /** Alt text of a picture. */
  alt?: string;
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
export async function uploadBytes(slack: Slack, { name, bytes, alt }: Upload): Promise<string> {
  const answer = await call(slack, { method: 'files.getUploadURLExternal', channel: '' }, (client) =>
    client.files.getUploadURLExternal({
      filename: name,
      length: bytes.byteLength,
      ...(alt === undefined ? {} : { alt_text: alt }),
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

/** A reference to the key, for the title of a shared file, by which it is recognised in a thread. */
export function referenceOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 10);
}

/** The log fields for a failure: one sentence for a broken-off upload, the whole error for anything else. */
export function reasonOf(error: unknown): { reason: string } | { err: unknown } {
  if (!(error instanceof UploadError)) return { err: error };
  const { cause, message } = error;
  return { reason: cause instanceof Error ? `${message} (${cause.message})` : message };
}

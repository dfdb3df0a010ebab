import { createHash } from 'node:crypto';
import { call, type Slack } from '../delivery/calls.ts';

const UPLOAD_TIMEOUT_MS = 60_000;

/** A file's bytes, and what people see of it. */
export interface Upload {
  name: string;
  bytes: Uint8Array;
  /** What a picture shows, in words. */
  alt?: string;
}

/** Slack's upload server did not take the bytes: nobody sees anything of them. */
class UploadError extends Error {
  override name = 'UploadError';
}

/**
 * Brings bytes to Slack. Nobody can see them until the upload is completed.
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

/** What the title of a shared file bears of its key, so that it can be recognised in a thread. */
export function referenceOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 10);
}

/** What a log says of a failure: of an upload that broke off its sentence, of anything else all that is known. */
export function reasonOf(error: unknown): { reason: string } | { err: unknown } {
  if (!(error instanceof UploadError)) return { err: error };
  const { cause, message } = error;
  return { reason: cause instanceof Error ? `${message} (${cause.message})` : message };
}

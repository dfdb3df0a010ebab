import type { IncomingMessage } from 'node:http';
import { readBytes } from '../http/body.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import type { StoredFile } from './file.ts';
import { inspect } from './inspect.ts';
import { makeRoom } from './room.ts';

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

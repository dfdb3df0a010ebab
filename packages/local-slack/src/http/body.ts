import type { IncomingMessage, ServerResponse } from 'node:http';

export function answerJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

export function answerText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
}

const LARGEST = 4 * 1024 * 1024;

/** The body is too large, or not what its content type says. */
export class BodyError extends Error {
  override name = 'BodyError';
}

/** @throws BodyError if there are more bytes than `largest`. */
export async function readBytes(request: IncomingMessage, largest: number): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > largest) throw new BodyError(`The body is larger than ${largest} bytes.`);
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

/**
 * The body of a request: JSON as it is; a form, urlencoded or multipart, as an object of its fields.
 *
 * @throws BodyError
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request, LARGEST);
  if (bytes.length === 0) return {};
  const type = request.headers['content-type'] ?? 'application/x-www-form-urlencoded';
  try {
    if (type.startsWith('application/json')) return JSON.parse(bytes.toString('utf8'));
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    return Object.fromEntries([...form].map(([name, value]) => [name, value]));
  } catch (cause) {
    throw new BodyError(`The body is not ${type}.`, { cause });
  }
}

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { SERVICE_VERSION } from '../schema/primitives.ts';
import type { ServiceEnv } from './env.ts';
import { ApiError, invalid } from './errors.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_DISCARDED_BYTES = 32 * MAX_BODY_BYTES;

/** Assigns a request id, returned in the header `X-Request-Id`. */
export const requestId: MiddlewareHandler<ServiceEnv> = async (c, next) => {
  const id = `req_${randomUUID()}`;
  c.set('requestId', id);
  await next();
  c.header('X-Request-Id', id);
};

/** The request's `Authorization: Bearer …` token. */
export function bearerToken(c: Context): string | undefined {
  return /^Bearer +(\S+) *$/iu.exec(c.req.header('authorization') ?? '')?.[1];
}

/** Contract, section 5. */
export function authenticate(keys: ReadonlyMap<string, string>): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const key = bearerToken(c);
    const organisation = key === undefined ? undefined : keys.get(key);
    if (key === undefined || organisation === undefined) {
      c.header('WWW-Authenticate', 'Bearer');
      throw new ApiError(
        401,
        'authentication_error',
        key === undefined
          ? 'Missing API key: send Authorization: Bearer <API_KEY>'
          : 'The API key is invalid',
      );
    }
    c.set('key', key);
    c.set('organisation', organisation);
    await next();
  };
}

/** Contract, section 9. */
export const checkVersion: MiddlewareHandler<ServiceEnv> = async (c, next) => {
  const version = c.req.header('service-version');
  if (version !== undefined && version !== SERVICE_VERSION) {
    throw invalid(`This service only supports version ${SERVICE_VERSION}`, {
      'Service-Version': `must be ${SERVICE_VERSION}`,
    });
  }
  await next();
};

/**
 * 413 for a body of more than 1 MB, with or without a declared length, and 400 for one that is not UTF-8. The body is
 * read to its end before the answer (up to a limit), since a client that is still writing would see a broken connection
 * instead of the answer.
 */
export const limitBody: MiddlewareHandler<ServiceEnv> = async (c, next) => {
  const stream = c.req.raw.body;
  if (stream) {
    const body = await readBody(stream).catch((cause: unknown) => {
      throw new ApiError(400, 'invalid_request_error', 'The request body was cut off', { cause });
    });
    if (body === null) {
      c.header('Connection', 'close');
      throw new ApiError(413, 'invalid_request_error', 'The request body is larger than 1 MB');
    }
    // Decoding it anyway would store characters that nobody sent.
    if (!isUtf8(body)) throw invalid('The request body is not valid UTF-8');
    const { method, url, raw } = c.req;
    c.req.raw = new Request(url, { method, headers: raw.headers, body });
  }
  await next();
};

async function readBody(stream: ReadableStream<Uint8Array>): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_DISCARDED_BYTES) return null;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size > MAX_BODY_BYTES ? null : Buffer.concat(chunks);
}

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type ErrorBody, PROGRAM, SERVICE_VERSION } from '../../contract/schema.ts';
import type { Clock } from '../../lib/clock.ts';
import { addressIn, type GuessLimit, TOO_MANY_GUESSES } from '../../lib/mcp-keys.ts';

/** Request state set by the middleware. */
export interface ServiceEnv {
  Variables: { requestId: string; key: string; organization: string };
}

export type ServiceApp = OpenAPIHono<ServiceEnv>;

/** A failure whose message is sent to the caller. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: ContentfulStatusCode;
  readonly type: ErrorBody['type'];
  readonly details: Record<string, string> | undefined;

  constructor(
    status: ContentfulStatusCode,
    type: ErrorBody['type'],
    message: string,
    options: { details?: Record<string, string> | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = status;
    this.type = type;
    this.details = options.details;
  }
}

/** 400: the request cannot be understood; `details` says which field. */
export function invalid(message: string, details?: Record<string, string>): ApiError {
  return new ApiError(400, 'invalid_request_error', message, { details });
}

/** 404, with the same wording whether it does not exist or belongs to another organization. */
export function notFound(what: string): ApiError {
  return new ApiError(404, 'invalid_request_error', `${what} was not found`);
}

/** 400 for a zod error, with the first complaint for each field. */
export function invalidFields(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): ApiError {
  const details: Record<string, string> = {};
  for (const issue of issues) details[issue.path.map(String).join('.') || 'body'] ??= issue.message;
  return invalid(`Invalid request: ${Object.keys(details).join(', ')}`, details);
}

/** Answers with the error body; errors that are not the caller's fault are not explained to it. */
export function respondWithError(c: Context, error: Error, requestId: string): Response {
  return c.json(errorBody(error, requestId), knownError(error).status);
}

/** The body of an error's answer, also for an answer that has begun to stream. */
export function errorBody(error: unknown, requestId: string): ErrorBody {
  const known = knownError(error);
  return {
    type: known.type,
    message: known.message,
    request_id: requestId,
    ...(known.details && { details: known.details }),
  };
}

function knownError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HTTPException && error.status === 415)
    return new ApiError(
      415,
      'invalid_request_error',
      'The request body must be JSON (Content-Type: application/json)',
    );
  if (error instanceof HTTPException && error.status < 500) return invalid(error.message);
  return new ApiError(500, 'api_error', 'Internal error; look up this request_id in the service log');
}

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_DISCARDED_BYTES = 32 * MAX_BODY_BYTES;

/** Assigns a request id, returned in the header `X-Request-Id`, and says which program answers. */
export const requestId: MiddlewareHandler<ServiceEnv> = async (c, next) => {
  const id = `req_${randomUUID()}`;
  c.set('requestId', id);
  await next();
  c.header('X-Request-Id', id);
  c.header(PROGRAM.header, PROGRAM.name);
};

function bearerToken(c: Context): string | undefined {
  return /^Bearer +(\S+) *$/iu.exec(c.req.header('authorization') ?? '')?.[1];
}

export function authenticate(
  keys: ReadonlyMap<string, string>,
  guesses: GuessLimit,
): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const organization = admitted(c, guesses, (key) => keys.get(key));
    c.set('key', bearerToken(c) ?? '');
    c.set('organization', organization);
    await next();
  };
}

const API_KEY = {
  missing: 'Missing API key: send Authorization: Bearer <API_KEY>',
  wrong: 'The API key is invalid',
};

/**
 * What `find` knows for the request's key. Throws 401 without a right one. An address may try a few wrong ones; after that,
 * 429: a right key is not told from the guesses of others who share its address, so it is asked to come back.
 */
export function admitted<T>(
  c: Context,
  guesses: GuessLimit,
  find: (key: string) => T | undefined,
  { missing, wrong } = API_KEY,
): T {
  const key = bearerToken(c);
  const refused = (message: string) => {
    c.header('WWW-Authenticate', 'Bearer');
    return new ApiError(401, 'authentication_error', message);
  };
  if (key === undefined) throw refused(missing);
  const address = addressIn(c.env);
  const blockedMs = guesses.blockedMs(address, key);
  if (blockedMs > 0) {
    c.header('Retry-After', String(Math.ceil(blockedMs / 1000)));
    throw new ApiError(429, 'authentication_error', TOO_MANY_GUESSES);
  }
  const found = find(key);
  guesses.tried(address, key, found !== undefined);
  if (found === undefined) throw refused(wrong);
  return found;
}

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

/** How many requests each API key may make per window, which starts with its first request. */
export interface RateLimit {
  requests: number;
  windowMs: number;
}

/** 429 with `Retry-After` (in seconds) above the limit. Runs after `authenticate`. */
export function limitRate({ requests, windowMs }: RateLimit, clock: Clock): MiddlewareHandler<ServiceEnv> {
  const windows = new Map<string, { endsAt: number; made: number }>();
  return async (c, next) => {
    const key = c.get('key');
    const now = clock.now();
    const current = windows.get(key);
    const window = current && current.endsAt > now ? current : { endsAt: now + windowMs, made: 0 };
    window.made += 1;
    windows.set(key, window);
    if (window.made > requests) {
      c.header('Retry-After', String(Math.ceil((window.endsAt - now) / 1000)));
      throw new ApiError(
        429,
        'invalid_request_error',
        `Rate limit of ${requests} requests exceeded: slow down`,
      );
    }
    await next();
  };
}

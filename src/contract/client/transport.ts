import { type Dispatcher, EnvHttpProxyAgent, errors } from 'undici';
import type { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { parseJson } from '../../lib/json.ts';
import { ErrorBody } from '../answers.ts';
import { PROGRAM } from '../schema.ts';
import { decode } from './decode.ts';
import {
  CancelledError,
  RateLimitedError,
  RejectedError,
  type ServiceError,
  TimedOutError,
  UnreachableError,
} from './errors.ts';

/** Where a request comes from. */
export interface Origin {
  /** From a private channel: the service shows it to no language model but the one that the channel has agreed to. */
  isPrivate?: boolean | undefined;
  /** The host of that model. */
  agreedModel?: string | null | undefined;
}

/** One call as a resource describes it. */
export interface Call {
  /** Our name of the call, for logs and errors: `issues.create`. */
  operation: string;
  /** `GET` by default. */
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base address, already encoded: `/issues/…`. */
  path: string;
  /** Pairs, because a name may repeat; those without a value are left out. */
  query?: ReadonlyArray<readonly [string, string | number | undefined]> | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** What to accept; JSON by default. */
  accept?: string;
  origin?: Origin | undefined;
  /** For the whole call; else the client's own. */
  timeoutMs?: number;
  /** Cancels the call. */
  signal: AbortSignal;
}

/** Whether a call may have had an effect although it failed. */
export function changesSomething({ method = 'GET' }: Pick<Call, 'method'>): boolean {
  return method !== 'GET';
}

/** A successful answer whose body is still to be read. */
export interface OpenAnswer {
  status: number;
  requestId: string | null;
  contentType: string;
  /** Yields what arrives; throws a `ServiceError` when the stream breaks, is cancelled or its time is up. */
  chunks: AsyncIterable<Uint8Array>;
  /** Gives the connection up; harmless after the end. */
  discard(): void;
}

interface Transport {
  /** Sends a call; resolves with the head of a 2xx answer, rejects with a `ServiceError` for all else. */
  open(call: Call): Promise<OpenAnswer>;
  /** Whether the service is this project's own, as its answers say; `null` before the first. */
  isOurs(): boolean | null;
  /** Gives the connections up once what is under way has ended. */
  close(): Promise<void>;
}

export interface TransportOptions {
  url: string;
  apiKey: string;
  version: string;
  clock: Clock;
  dispatcher?: Dispatcher | undefined;
  timeoutMs: number;
  deadline?: Deadline | undefined;
}

/** Calls `pass` after so many milliseconds; what it answers cancels that. */
export type Deadline = (ms: number, pass: () => void) => () => void;

const byTimer: Deadline = (ms, pass) => {
  const timer = setTimeout(pass, ms);
  return () => clearTimeout(timer);
};

const CONNECTIONS = 16;
const CONNECT_TIMEOUT_MS = 10_000;
/** A connection is not used again after so long, whatever the service offers: a request must not meet its closing. */
const MOST_IDLE_MS = 20_000;
const ERROR_BODY_BYTES = 64 * 1024;

/**
 * Answers a transport to `options.url` with a pool of its own. `HTTPS_PROXY` and `NO_PROXY` are honored,
 * unless a dispatcher is given; that one stays its owner's to close.
 */
export function createTransport(options: TransportOptions): Transport {
  const dispatcher = options.dispatcher ?? createDispatcher();
  const until = options.deadline ?? byTimer;
  const base = new URL(options.url);
  const prefix = base.pathname.replace(/\/+$/u, '');
  let isOurs: boolean | null = null;

  async function open(call: Call): Promise<OpenAnswer> {
    const hasEffect = changesSomething(call);
    const failing = { operation: call.operation, hasEffect };
    if (call.signal.aborted) throw new CancelledError({ operation: call.operation, ambiguous: false });
    const timeoutMs = call.timeoutMs ?? options.timeoutMs;
    const deadline = new AbortController();
    const cancel = until(timeoutMs, () => deadline.abort());
    const discarded = new AbortController();
    // What has ended is let go of at once: a timeout's own signal would keep all of it until the deadline.
    const release = () => {
      cancel();
      discarded.abort();
    };
    const failure = (error: unknown): ServiceError =>
      failureOfNetwork(failing, error, {
        cancelled: call.signal.aborted,
        timedOut: deadline.signal.aborted,
        timeoutMs,
      });

    const answer = await dispatcher
      .request({
        origin: base.origin,
        path: `${prefix}${call.path}${queryString(call.query ?? [])}`,
        method: call.method ?? 'GET',
        headers: headers(call, options),
        body: call.body === undefined ? null : JSON.stringify(call.body),
        signal: AbortSignal.any([call.signal, deadline.signal, discarded.signal]),
        // The deadline bounds the whole call; a bound on the gaps would end a slow but living stream.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      .catch((error: unknown) => {
        release();
        throw failure(error);
      });
    // A body that is given up emits an error that nobody waits for.
    answer.body.on('error', () => {});
    const opened: OpenAnswer = {
      status: answer.statusCode,
      requestId: first(answer.headers['x-request-id'] ?? answer.headers['request-id']),
      contentType: first(answer.headers['content-type'])?.toLowerCase() ?? '',
      chunks: reading(answer.body, failure, release),
      discard: release,
    };
    const isSuccess = opened.status >= 200 && opened.status < 300;
    // A failure may be a proxy's, which says nothing of the service behind it.
    if (first(answer.headers[PROGRAM.header.toLowerCase()]) === PROGRAM.name) isOurs = true;
    else if (isSuccess) isOurs = false;
    if (isSuccess) return opened;
    const text = await readStart(opened.chunks, ERROR_BODY_BYTES);
    opened.discard();
    throw failureOfStatus(failing, {
      status: opened.status,
      requestId: opened.requestId,
      retryAfterMs: retryAfterMs(first(answer.headers['retry-after']), options.clock.now()),
      text: withoutKey(text, options.apiKey),
    });
  }

  return {
    open,
    isOurs: () => isOurs,
    async close() {
      if (options.dispatcher === undefined) await dispatcher.close();
    },
  };
}

/** Takes the key out of a text that goes into an error: a proxy's error page may echo the request. */
export function withoutKey(text: string, apiKey: string): string {
  return apiKey === '' ? text : text.replaceAll(apiKey, '[key]');
}

function createDispatcher(): Dispatcher {
  // Only HTTPS goes through a proxy: plain HTTP is the embedded service on this machine.
  return new EnvHttpProxyAgent({
    httpProxy: '',
    connections: CONNECTIONS,
    keepAliveMaxTimeout: MOST_IDLE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
}

function headers(call: Call, options: TransportOptions): Record<string, string> {
  return {
    authorization: `Bearer ${options.apiKey}`,
    'service-version': options.version,
    accept: call.accept ?? 'application/json',
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...originHeaders(call.origin),
  };
}

function originHeaders({ isPrivate, agreedModel }: Origin = {}): Record<string, string> {
  if (isPrivate !== true) return {};
  return { visibility: 'private', ...(agreedModel == null ? {} : { 'agreed-model': agreedModel }) };
}

function queryString(pairs: NonNullable<Call['query']>): string {
  const params = new URLSearchParams();
  for (const [name, value] of pairs) if (value !== undefined) params.append(name, String(value));
  return params.size === 0 ? '' : `?${params}`;
}

async function* reading(
  body: AsyncIterable<Uint8Array>,
  failure: (error: unknown) => ServiceError,
  onEnd: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw failure(error);
  } finally {
    onEnd();
  }
}

function first(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}

const EXCERPT_LENGTH = 200;
const REASON_LENGTH = 500;

/** Codes of failures that come before a request is sent, so that nothing can have happened. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_PRX_CONN',
  'UND_ERR_PRX_TLS',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Which call failed, and whether it changes anything at the service. */
interface FailedCall {
  operation: string;
  hasEffect: boolean;
}

/** An answer that is no success, with its body read. */
interface FailedAnswer {
  status: number;
  requestId: string | null;
  retryAfterMs: number | null;
  text: string;
}

/** The one place where an HTTP status becomes an error. */
function failureOfStatus(call: FailedCall, answer: FailedAnswer): ServiceError {
  const body = errorBody(answer.text);
  const facts = {
    operation: call.operation,
    status: answer.status,
    type: body?.type ?? null,
    requestId: body?.request_id ?? answer.requestId,
    details: body?.details ?? null,
    bodyExcerpt: body?.message === undefined ? excerpt(answer.text) : null,
    retryAfterMs: answer.retryAfterMs,
  };
  if (answer.status === 429) return new RateLimitedError(facts);
  return new RejectedError({
    ...facts,
    ambiguous: call.hasEffect && (answer.status >= 500 || answer.status === 408),
    reason: body?.message?.slice(0, REASON_LENGTH) ?? null,
  });
}

/** The one place where a failure of the network becomes an error. */
function failureOfNetwork(
  call: FailedCall,
  error: unknown,
  state: { cancelled: boolean; timedOut: boolean; timeoutMs: number },
): ServiceError {
  const facts = { operation: call.operation, ambiguous: call.hasEffect, cause: error };
  if (state.cancelled) return new CancelledError(facts);
  if (
    state.timedOut ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  ) {
    return new TimedOutError({ ...facts, timeoutMs: state.timeoutMs });
  }
  const code = codeOf(error);
  const sent = !(NEVER_SENT.has(code ?? '') || refusedByProxy(error));
  return new UnreachableError({ ...facts, ambiguous: call.hasEffect && sent, code });
}

/** The beginning of an answer, for the log. */
export function excerpt(text: string): string {
  return text.slice(0, EXCERPT_LENGTH);
}

/** What can be read of an error body, even where it lacks what the contract requires; `null` if it is not an error body. */
function errorBody(text: string): z.infer<typeof ErrorBody> | null {
  const decoded = decode(ErrorBody, parseJson(text));
  return decoded.ok ? decoded.value : null;
}

/** The proxy's refusal has no code of its own, only that of any aborted request. */
function refusedByProxy(error: unknown): boolean {
  return error instanceof errors.RequestAbortedError && error.message.startsWith('Proxy response (');
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/**
 * Reads a `Retry-After` header (RFC 9110: seconds, or an HTTP date) as milliseconds from `now`
 * (milliseconds since the epoch); `null` if there is none or it says nothing.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/u.test(text)) return Math.ceil(Number(text) * 1000);
  if (!/^[A-Za-z]/u.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** A body is larger than the reader accepts. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** A whole body as text, without a byte order mark; rejects with `BodyTooLargeError` once it exceeds `maxBytes`. */
export async function readText(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new BodyTooLargeError(`the answer is longer than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** About the first `limit` bytes of a body, or as many as arrived: only for display, never for data. */
async function readStart(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      if (bytes >= limit) break;
    }
  } catch {
    return text;
  }
  return text;
}

import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import { readStart } from './body.ts';
import { CancelledError, type ServiceError } from './errors.ts';
import { failureOfNetwork, failureOfStatus } from './failures.ts';
import { retryAfterMs } from './retry-after.ts';

/** One call as a resource describes it. */
export interface Call {
  /** Our name of the call, for logs and errors: `issues.create`. */
  operation: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base address, already encoded: `/issues/…`. */
  path: string;
  /** Pairs, because a name may repeat; those without a value are left out. */
  query?: ReadonlyArray<readonly [string, string | number | undefined]> | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** What to accept; JSON unless told. */
  accept?: string;
  /** For the whole call; else the client's own. */
  timeoutMs?: number;
  /** Cancels the call. */
  signal: AbortSignal;
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

export interface Transport {
  /** Sends a call; resolves with the head of a 2xx answer, rejects with a `ServiceError` for all else. */
  open(call: Call): Promise<OpenAnswer>;
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
 * Answers a transport to `options.url` with a pool of its own. `HTTPS_PROXY` and `NO_PROXY` are honoured,
 * unless a dispatcher is given; that one stays its owner's to close.
 */
export function createTransport(options: TransportOptions): Transport {
  const dispatcher = options.dispatcher ?? createDispatcher();
  const until = options.deadline ?? byTimer;
  const base = new URL(options.url);
  const prefix = base.pathname.replace(/\/+$/u, '');

  async function open(call: Call): Promise<OpenAnswer> {
    const hasEffect = call.method !== 'GET';
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
        method: call.method,
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
    if (opened.status >= 200 && opened.status < 300) return opened;
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
  };
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

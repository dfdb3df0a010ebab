import { isJsonObject, parseJson } from '../../lib/json.ts';
import { QueryResponse } from '../answers.ts';
import { QueryRequest } from '../schema.ts';
import { createGrowingAnswer, readEvents, type SseEvent } from './answer-stream.ts';
import { decode } from './decode.ts';
import { CancelledError, ServiceError } from './errors.ts';
import { assertSendable, type Http, type Request, type StreamedAnswer } from './http.ts';
import { BodyTooLargeError, type Origin, readText } from './transport.ts';

/** An answer on its way: what is being looked at, text to append, and in the end the whole. */
export type QueryEvent =
  | { kind: 'progress'; text: string }
  | { kind: 'delta'; text: string }
  | {
      kind: 'done';
      /** `null` if the stream carried nothing but text. */
      response: QueryResponse | null;
      text: string;
      /** `false` if the stream broke, ran out of time or grew too long: `text` is what arrived. */
      complete: boolean;
      /** Why it is not complete. */
      error?: ServiceError;
    };

/** The agent. */
export interface Query {
  /** A question and its whole answer. Rejects with a `ServiceError`. */
  ask(request: QueryRequest, signal?: AbortSignal): Promise<QueryResponse>;
  /**
   * The answer as a stream: progress and deltas, then one `done`. Throws a `ServiceError` only where nothing of an
   * answer arrived, or the signal ended it; `timeoutMs` bounds the whole stream (180 seconds by default).
   */
  stream(
    request: QueryRequest,
    signal?: AbortSignal,
    options?: { origin?: Origin | undefined; timeoutMs?: number | undefined },
  ): AsyncIterable<QueryEvent>;
}

const ASK_TIMEOUT_MS = 180_000;
const MAX_STREAM_BYTES = 8 * 1024 * 1024;
const LOOKS_LIKE_EVENTS = /^(?:data|event|id|retry)?:/mu;

export function createQuery(http: Http): Query {
  return {
    ask: async (request, signal) =>
      http.json(question('query.ask', request, false, ASK_TIMEOUT_MS, signal), QueryResponse),
    stream: (request, signal, options) =>
      answering(http, () => ({
        ...question('query.stream', request, true, options?.timeoutMs ?? ASK_TIMEOUT_MS, signal),
        origin: options?.origin,
      })),
  };
}

function question(
  operation: string,
  request: QueryRequest,
  stream: boolean,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Request {
  assertSendable(operation, QueryRequest, request);
  const { stream: _, ...rest } = request;
  return {
    operation,
    method: 'POST',
    path: '/query',
    body: stream ? { ...rest, stream } : rest,
    timeoutMs,
    signal,
    ...(stream ? { accept: 'text/event-stream' } : {}),
  };
}

async function* answering(http: Http, request: () => Request): AsyncGenerator<QueryEvent> {
  const stream = await http.stream(request());
  const growing = createGrowingAnswer();
  let error: ServiceError | null = null;
  try {
    for await (const event of eventsOf(stream)) {
      const { progress, added } = growing.take(event);
      if (progress !== '') yield { kind: 'progress', text: progress };
      if (added !== '') yield { kind: 'delta', text: added };
      if (growing.isOver()) break;
    }
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown instanceof CancelledError) throw thrown;
    error = thrown;
  } finally {
    stream.discard();
  }
  const failure = growing.failure();
  if (failure !== null) error = stream.failed(failure);
  if (growing.isEmpty()) throw error ?? stream.unreadable('the stream ended without an answer', '');
  yield {
    kind: 'done',
    response: responseOf(stream, growing.response()),
    text: growing.text(),
    complete: failure === null && (growing.isWhole() || (error === null && !growing.isTorn())),
    ...(error === null ? {} : { error }),
  };
}

/** The answer's events, also where it is JSON instead of a stream, or does not say what it is. */
async function* eventsOf(stream: StreamedAnswer): AsyncGenerator<SseEvent> {
  const chunks = bounded(stream);
  if (stream.contentType.includes('event-stream')) return yield* readEvents(chunks);
  const text = await readText(chunks, MAX_STREAM_BYTES).catch((error: unknown) => {
    throw error instanceof BodyTooLargeError ? stream.unreadable(error.message, '') : error;
  });
  if (isJsonObject(parseJson(text))) return yield { event: 'final', data: text, cut: false };
  if (stream.contentType.includes('json') || !LOOKS_LIKE_EVENTS.test(text)) {
    throw stream.unreadable('the answer is neither an event stream nor JSON', text);
  }
  yield* readEvents(once(text));
}

async function* bounded(stream: StreamedAnswer): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of stream.chunks) {
    bytes += chunk.byteLength;
    if (bytes > MAX_STREAM_BYTES) {
      throw stream.unreadable(`the stream is longer than ${MAX_STREAM_BYTES} bytes`, '');
    }
    yield chunk;
  }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

function responseOf(stream: StreamedAnswer, raw: unknown): QueryResponse | null {
  if (raw === null) return null;
  const decoded = decode(QueryResponse, raw);
  if (!decoded.ok) return null;
  stream.dropped(decoded.dropped);
  return decoded.value;
}

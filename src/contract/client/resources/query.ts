import { QueryRequest, QueryResponse } from '../../schema/query.ts';
import { answerParts } from '../answer-parts.ts';
import { BodyTooLargeError, readText } from '../body.ts';
import { assertSendable } from '../bounds.ts';
import { decode } from '../decode.ts';
import { CancelledError, ServiceError } from '../errors.ts';
import { GrowingAnswer } from '../growing-answer.ts';
import type { Http, Request, StreamedAnswer } from '../http.ts';
import { isJsonObject, parseJson } from '../json.ts';
import { readEvents, type SseEvent } from '../sse.ts';

/** An answer on its way: text to append, and in the end the whole. */
export type QueryEvent =
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
  /** Contract 4.9: a question and its whole answer. Rejects with a `ServiceError`. */
  ask(request: QueryRequest, signal?: AbortSignal): Promise<QueryResponse>;
  /**
   * Contract 4.9 as a stream: deltas, then one `done`. Throws a `ServiceError` only where nothing of an
   * answer arrived, or the signal ended it; `timeoutMs` bounds the whole stream (180 seconds unless told).
   */
  stream(
    request: QueryRequest,
    signal?: AbortSignal,
    options?: { timeoutMs?: number | undefined },
  ): AsyncIterable<QueryEvent>;
}

const ASK_TIMEOUT_MS = 180_000;
const MAX_STREAM_BYTES = 8 * 1024 * 1024;
const MAX_ANSWER = { bytes: MAX_STREAM_BYTES, values: 400_000, depth: 100 };
const LOOKS_LIKE_EVENTS = /^(?:data|event|id|retry)?:/mu;

export function createQuery(http: Http): Query {
  return {
    ask: async (request, signal) =>
      http.json(question('query.ask', request, false, ASK_TIMEOUT_MS, signal), QueryResponse),
    stream: (request, signal, options) =>
      answering(http, () =>
        question('query.stream', request, true, options?.timeoutMs ?? ASK_TIMEOUT_MS, signal),
      ),
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
  const growing = new GrowingAnswer();
  let error: ServiceError | null = null;
  let torn = false;
  try {
    for await (const event of eventsOf(stream)) {
      const parts = answerParts(event);
      torn ||= event.cut && parts.length === 0;
      for (const part of parts) {
        const text = growing.take(part);
        if (text !== '') yield { kind: 'delta', text };
      }
      if (growing.over) break;
    }
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown instanceof CancelledError) throw thrown;
    error = thrown;
  } finally {
    stream.discard();
  }
  if (growing.failure !== null) error = stream.failed(growing.failure);
  if (growing.empty) throw error ?? stream.unreadable('the stream ended without an answer', '');
  yield {
    kind: 'done',
    response: responseOf(stream, growing),
    text: growing.text,
    complete: growing.failure === null && (growing.whole || (error === null && !torn)),
    ...(error === null ? {} : { error }),
  };
}

/** The answer's events, also where it is JSON instead of a stream, or does not say what it is. */
async function* eventsOf(stream: StreamedAnswer): AsyncGenerator<SseEvent> {
  const chunks = bounded(stream);
  if (stream.contentType.includes('event-stream')) return yield* readEvents(chunks);
  const text = await readText(chunks, MAX_ANSWER).catch((error: unknown) => {
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

function responseOf(stream: StreamedAnswer, growing: GrowingAnswer): QueryResponse | null {
  const raw = growing.response();
  if (raw === null) return null;
  const decoded = decode(QueryResponse, raw);
  if (!decoded.ok) return null;
  stream.dropped(decoded.dropped);
  return decoded.value;
}

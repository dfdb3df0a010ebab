import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { QueryResponse } from '../answers.ts';
import { QueryRequest } from '../schema.ts';
import { decode, isJsonObject, parseJson } from './decode.ts';
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
  const growing = new GrowingAnswer();
  let error: ServiceError | null = null;
  let torn = false;
  try {
    for await (const event of eventsOf(stream)) {
      const parts = answerParts(event);
      torn ||= event.cut && parts.length === 0;
      for (const part of parts) {
        if (part.kind === 'progress') yield part;
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

function responseOf(stream: StreamedAnswer, growing: GrowingAnswer): QueryResponse | null {
  const raw = growing.response();
  if (raw === null) return null;
  const decoded = decode(QueryResponse, raw);
  if (!decoded.ok) return null;
  stream.dropped(decoded.dropped);
  return decoded.value;
}

/** One event of a stream. */
export interface SseEvent {
  /** Its name; `null` if the stream gives none. */
  event: string | null;
  data: string;
  /** The stream ended before the blank line that ends an event, so its data may be cut. */
  cut: boolean;
}

/**
 * The events in a stream of bytes, however these are split. Comments and events without data are left out;
 * an event that the end of the stream cuts off is yielded, marked. A failure of the source passes through,
 * after what arrived before it.
 */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => arrived.push(event) });
  const decoder = new TextDecoder();
  const take = function* (cut: boolean): Generator<SseEvent> {
    for (const { event, data } of arrived.splice(0)) yield { event: event ?? null, data, cut };
  };
  let failure: { error: unknown } | null = null;
  try {
    for await (const chunk of chunks) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      yield* take(false);
    }
  } catch (error) {
    failure = { error };
  }
  parser.feed(decoder.decode());
  yield* take(false);
  // Ends the line and then the event, also where a lone carriage return stood last.
  parser.feed('\n\n\n');
  yield* take(true);
  if (failure !== null) throw failure.error;
}

type Fields = Record<string, unknown>;

/** What one event of a stream adds to the answer. */
type AnswerPart =
  /** What is being looked at, beside the answer. */
  | { kind: 'progress'; text: string }
  | { kind: 'delta'; text: string }
  /** The whole text, replacing anything before. */
  | { kind: 'whole'; text: string }
  /** Under `answer` there may be the whole text, the text so far, or a delta. */
  | { kind: 'either'; text: string }
  /** In the last event: the whole text if it continues what came before, otherwise one more delta. */
  | { kind: 'closing'; text: string }
  /** Plain text in the last event: the whole text if it can be, otherwise only a marker of the end. */
  | { kind: 'recap'; text: string }
  | { kind: 'conversation'; id: string }
  | { kind: 'artifacts'; items: unknown[] }
  /** An object with the answer, for the fields that have no special meaning. */
  | { kind: 'fields'; value: Fields }
  | { kind: 'failure'; value: Fields }
  | { kind: 'end' };

const LAST =
  /^(?:(?:message|response|answer|stream|query)[._-])?(?:done|end|final|complete|completed|finish|finished|stop)$/iu;
const FAILED = /^(?:error|failed|failure)$/iu;
/** What is sent besides the answer: its texts are not part of it. */
const BESIDE =
  /^(?:ping|heartbeat|keep-?alive|status|progress|thinking|thought|reasoning|tool(?:[._-].*)?|log|debug|meta|metadata|usage|start|started|open|conversation|artifacts?)$/iu;
const ARTIFACTS = /artifact/iu;
const DELTA_KEYS = ['delta', 'token', 'chunk', 'text', 'content', 'message', 'output_text', 'output'];
const LAST_FLAGS = ['done', 'final', 'is_final', 'finished', 'complete', 'completed'];
const ENVELOPES = ['response', 'data', 'result', 'payload'];
/** No stream nests its text deeper; the limit keeps a hostile one from exhausting the stack. */
const MAX_DEPTH = 6;

/**
 * Reads one event. The contract leaves the stream's format open (4.9), so every usual shape is accepted: plain text,
 * JSON strings, objects with the text under one of several names, with or without an envelope.
 */
export function answerParts({ event, data, cut }: SseEvent): AnswerPart[] {
  const name = event ?? '';
  const trimmed = data.trim();
  if (trimmed === '[DONE]') return [{ kind: 'end' }];
  const value = /^[[{"]/u.test(trimmed) ? parseJson(trimmed) : undefined;
  if (isJsonObject(value)) return partsOfFields(name, value);
  if (Array.isArray(value) && ARTIFACTS.test(name)) return [{ kind: 'artifacts', items: value }];
  if (FAILED.test(name)) return [{ kind: 'failure', value: { message: data } }];
  const text = typeof value === 'string' ? value : data;
  if (LAST.test(name)) return [{ kind: 'recap', text }, { kind: 'end' }];
  // Half an object is not text.
  if (BESIDE.test(name) || (cut && /^[[{]/u.test(trimmed))) return [];
  return [{ kind: 'delta', text }];
}

function partsOfFields(event: string, fields: Fields): AnswerPart[] {
  const type = typeof fields.type === 'string' ? fields.type : '';
  const failure = failureOf(event, type, fields);
  if (failure !== null) return [{ kind: 'failure', value: failure }];
  const last = LAST.test(event) || LAST.test(type) || LAST_FLAGS.some((flag) => fields[flag] === true);
  const beside = BESIDE.test(event) || BESIDE.test(type);
  return [
    ...conversation(fields),
    ...artifacts(event || type, fields),
    ...(beside && typeof fields.progress === 'string' && fields.progress !== ''
      ? [{ kind: 'progress', text: fields.progress } as const]
      : []),
    ...(beside ? [] : texts(fields, last)),
    ...(last ? [{ kind: 'end' } as const] : []),
  ];
}

function texts(fields: Fields, last: boolean, depth = 0): AnswerPart[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof fields.answer === 'string') {
    const whole = last || Array.isArray(fields.artifacts);
    const text: AnswerPart = { kind: whole ? 'whole' : 'either', text: fields.answer };
    return [{ kind: 'fields', value: fields }, text];
  }
  for (const key of DELTA_KEYS) {
    const text = textOf(fields[key]);
    if (text !== '') return [{ kind: last ? 'closing' : 'delta', text }];
  }
  const choice = Array.isArray(fields.choices) ? fields.choices[0] : undefined;
  if (isJsonObject(choice)) return texts(choice, false, depth + 1);
  for (const key of ENVELOPES) {
    const inner = fields[key];
    if (isJsonObject(inner))
      return [...conversation(inner), ...artifacts('', inner), ...texts(inner, last, depth + 1)];
    if (typeof inner === 'string' && inner !== '') return [{ kind: last ? 'closing' : 'delta', text: inner }];
  }
  return [];
}

/** A text, or the texts in a list or an object; empty if there are none. */
function textOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth > MAX_DEPTH) return '';
  if (Array.isArray(value)) return value.map((item) => textOf(item, depth + 1)).join('');
  if (!isJsonObject(value)) return '';
  return textOf(value.text ?? value.content ?? value.value ?? value.delta, depth + 1);
}

function conversation(fields: Fields): AnswerPart[] {
  const id = fields.conversation_id ?? fields.conversationId;
  return typeof id === 'string' && id !== '' ? [{ kind: 'conversation', id }] : [];
}

function artifacts(name: string, fields: Fields): AnswerPart[] {
  if (Array.isArray(fields.artifacts)) return [{ kind: 'artifacts', items: fields.artifacts }];
  if (isJsonObject(fields.artifact)) return [{ kind: 'artifacts', items: [fields.artifact] }];
  return ARTIFACTS.test(name) && 'id' in fields ? [{ kind: 'artifacts', items: [fields] }] : [];
}

/** The error body of an event, bare or under `error`. */
function failureOf(event: string, type: string, fields: Fields): Fields | null {
  if (isJsonObject(fields.error)) return fields.error;
  if (typeof fields.error === 'string' && fields.error !== '') return { ...fields, message: fields.error };
  const bare = /_error$/u.test(type) && typeof fields.message === 'string';
  return bare || FAILED.test(event) || FAILED.test(type) ? fields : null;
}

/** An answer as its parts arrive. */
export class GrowingAnswer {
  #text = '';
  /** Whether deltas under names of their own arrived: then `answer` can only be the whole. */
  #deltas = false;
  #whole = false;
  #ended = false;
  #conversationId: string | null = null;
  #fields: Record<string, unknown> = {};
  #failure: Record<string, unknown> | null = null;
  readonly #artifacts: unknown[] = [];
  readonly #artifactIds = new Set<unknown>();

  /** Takes a part in, and answers the text that it adds at the end, often none. */
  take(part: AnswerPart): string {
    switch (part.kind) {
      case 'delta':
        this.#deltas = true;
        this.#text += part.text;
        return part.text;
      case 'whole':
        this.#whole = true;
        return this.#becomes(part.text);
      case 'either':
        return this.#deltas ? this.#becomes(part.text) : this.#goesOn(part.text);
      case 'closing':
        return this.#goesOn(part.text);
      case 'recap':
        return part.text.startsWith(this.#text) ? this.#becomes(part.text) : '';
      case 'conversation':
        this.#conversationId = part.id;
        return '';
      case 'artifacts':
        for (const item of part.items) this.#takeArtifact(item);
        return '';
      case 'progress':
        return '';
      case 'fields':
        this.#fields = part.value;
        return '';
      case 'failure':
        this.#failure = part.value;
        return '';
      case 'end':
        this.#ended = true;
        return '';
    }
  }

  get text(): string {
    return this.#text;
  }

  /** Nothing of an answer has arrived. */
  get empty(): boolean {
    return this.#text === '' && this.#artifacts.length === 0;
  }

  /** The stream has said that it is over, one way or the other. */
  get over(): boolean {
    return this.#ended || this.#failure !== null;
  }

  /** The answer is known to be whole, even if the stream breaks now. */
  get whole(): boolean {
    return this.#whole || this.#ended;
  }

  /** The error body that the stream carried. */
  get failure(): Record<string, unknown> | null {
    return this.#failure;
  }

  /** The answer in the form of `QueryResponse`, still unchecked; `null` if only deltas arrived. */
  response(): unknown {
    const bare = this.#conversationId === null && this.#artifacts.length === 0;
    if (bare && Object.keys(this.#fields).length === 0) return null;
    return {
      ...this.#fields,
      ...(this.#conversationId === null ? {} : { conversation_id: this.#conversationId }),
      answer: this.#text,
      artifacts: this.#artifacts,
    };
  }

  /** The text so far with more at its end, or only what is more. */
  #goesOn(text: string): string {
    if (text.startsWith(this.#text)) return this.#becomes(text);
    this.#text += text;
    return text;
  }

  #becomes(text: string): string {
    if (text === '') return '';
    const added = text.startsWith(this.#text) ? text.slice(this.#text.length) : '';
    this.#text = text;
    return added;
  }

  #takeArtifact(item: unknown): void {
    const id = typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
    if (id !== undefined && this.#artifactIds.has(id)) return;
    this.#artifactIds.add(id);
    this.#artifacts.push(item);
  }
}

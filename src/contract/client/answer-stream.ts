import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { isJsonObject, parseJson } from '../../lib/json.ts';

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
 * An answer as the events of its stream arrive. The contract leaves their format open (4.9), so every usual shape is read:
 * plain text, JSON strings, objects with the text under one of several names, with or without an envelope, and a last
 * event with the whole.
 */
export function createGrowingAnswer() {
  let text = '';
  /** Whether deltas under names of their own arrived: then `answer` can only be the whole. */
  let hasDeltas = false;
  let isWhole = false;
  let isEnded = false;
  let isTorn = false;
  let conversationId: string | null = null;
  let whole: Fields = {};
  let failure: Fields | null = null;
  let progress = '';
  const artifacts: unknown[] = [];
  const artifactIds = new Set<unknown>();

  function append(more: string): string {
    hasDeltas = true;
    text += more;
    return more;
  }

  /** A text that may be the whole answer: it is if it begins with the text so far. @returns what it adds at the end */
  function merge(more: string, otherwise: 'append' | 'replace' | 'drop'): string {
    if (more.startsWith(text)) {
      const added = more.slice(text.length);
      text = more;
      return added;
    }
    if (otherwise === 'append') text += more;
    if (otherwise === 'replace' && more !== '') text = more;
    return otherwise === 'append' ? more : '';
  }

  function takeArtifacts(items: readonly unknown[]): void {
    for (const item of items) {
      const id = isJsonObject(item) ? item.id : undefined;
      if (id !== undefined && artifactIds.has(id)) continue;
      artifactIds.add(id);
      artifacts.push(item);
    }
  }

  /** What an event holds besides text. */
  function takeBeside(name: string, fields: Fields): void {
    const id = fields.conversation_id ?? fields.conversationId;
    if (typeof id === 'string' && id !== '') conversationId = id;
    if (Array.isArray(fields.artifacts)) takeArtifacts(fields.artifacts);
    else if (isJsonObject(fields.artifact)) takeArtifacts([fields.artifact]);
    else if (ARTIFACTS.test(name) && 'id' in fields) takeArtifacts([fields]);
  }

  function takeText(fields: Fields, isLast: boolean, depth = 0): string {
    if (depth > MAX_DEPTH) return '';
    if (typeof fields.answer === 'string') {
      whole = fields;
      const isAll = isLast || Array.isArray(fields.artifacts);
      isWhole ||= isAll;
      return merge(fields.answer, isAll || hasDeltas ? 'replace' : 'append');
    }
    const put = (more: string) => (isLast ? merge(more, 'append') : append(more));
    for (const key of DELTA_KEYS) {
      const more = textOf(fields[key]);
      if (more !== '') return put(more);
    }
    const choice = Array.isArray(fields.choices) ? fields.choices[0] : undefined;
    for (const inner of [choice, ...ENVELOPES.map((key) => fields[key])]) {
      if (typeof inner === 'string' && inner !== '') return put(inner);
      if (!isJsonObject(inner)) continue;
      takeBeside('', inner);
      return takeText(inner, isLast, depth + 1);
    }
    return '';
  }

  function takeFields(name: string, fields: Fields): string {
    const type = typeof fields.type === 'string' ? fields.type : '';
    failure = failureOf(name, type, fields);
    if (failure !== null) return '';
    const isLast = LAST.test(name) || LAST.test(type) || LAST_FLAGS.some((flag) => fields[flag] === true);
    takeBeside(name || type, fields);
    isEnded ||= isLast;
    if (!BESIDE.test(name) && !BESIDE.test(type)) return takeText(fields, isLast);
    if (typeof fields.progress === 'string') progress = fields.progress;
    return '';
  }

  function takeEvent({ event, data, cut }: SseEvent): string {
    const name = event ?? '';
    const trimmed = data.trim();
    const value = /^[[{"]/u.test(trimmed) ? parseJson(trimmed) : undefined;
    if (isJsonObject(value)) return takeFields(name, value);
    if (Array.isArray(value) && ARTIFACTS.test(name)) takeArtifacts(value);
    else if (trimmed === '[DONE]') isEnded = true;
    else if (FAILED.test(name)) failure = { message: data };
    else if (LAST.test(name)) {
      isEnded = true;
      // The whole if it can be; otherwise a mere sign of the end.
      return merge(typeof value === 'string' ? value : data, 'drop');
    } else if (BESIDE.test(name) || (cut && /^[[{]/u.test(trimmed))) {
      // Half an object is not text.
      isTorn ||= cut;
    } else return append(typeof value === 'string' ? value : data);
    return '';
  }

  return {
    /** Takes an event in: what is being looked at, or the text that it adds at the end; each is often empty. */
    take: (event: SseEvent) => {
      progress = '';
      const added = takeEvent(event);
      return { progress, added };
    },
    text: () => text,
    /** Nothing of an answer has arrived. */
    isEmpty: () => text === '' && artifacts.length === 0,
    /** The stream has said that it is over, one way or the other. */
    isOver: () => isEnded || failure !== null,
    /** The answer is known to be whole, even if the stream breaks now. */
    isWhole: () => isWhole || isEnded,
    /** The stream ended inside an event of which nothing could be used. */
    isTorn: () => isTorn,
    /** The error body that the stream carried. */
    failure: () => failure,
    /** The answer in the form of `QueryResponse`, still unchecked; `null` if only text arrived. */
    response: (): Fields | null => {
      if (conversationId === null && artifacts.length === 0 && Object.keys(whole).length === 0) return null;
      const conversation = conversationId === null ? {} : { conversation_id: conversationId };
      return { ...whole, ...conversation, answer: text, artifacts };
    },
  };
}

/** A text, or the texts in a list or an object; empty if there are none. */
function textOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth > MAX_DEPTH) return '';
  if (Array.isArray(value)) return value.map((item) => textOf(item, depth + 1)).join('');
  if (!isJsonObject(value)) return '';
  return textOf(value.text ?? value.content ?? value.value ?? value.delta, depth + 1);
}

/** The error body of an event, bare or under `error`. */
function failureOf(event: string, type: string, fields: Fields): Fields | null {
  if (isJsonObject(fields.error)) return fields.error;
  if (typeof fields.error === 'string' && fields.error !== '') return { ...fields, message: fields.error };
  const bare = /_error$/u.test(type) && typeof fields.message === 'string';
  return bare || FAILED.test(event) || FAILED.test(type) ? fields : null;
}

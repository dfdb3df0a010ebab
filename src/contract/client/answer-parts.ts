import { isJsonObject, parseJson } from './json.ts';
import type { SseEvent } from './sse.ts';

type Fields = Record<string, unknown>;

/** What one event of a stream adds to the answer. */
export type AnswerPart =
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

/** The error body of an event, bare (contract, section 7) or under `error`. */
function failureOf(event: string, type: string, fields: Fields): Fields | null {
  if (isJsonObject(fields.error)) return fields.error;
  if (typeof fields.error === 'string' && fields.error !== '') return { ...fields, message: fields.error };
  const bare = /_error$/u.test(type) && typeof fields.message === 'string';
  return bare || FAILED.test(event) || FAILED.test(type) ? fields : null;
}

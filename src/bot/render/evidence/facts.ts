import { isJsonObject } from '../../../lib/json.ts';
import { oneLine } from '../../../lib/text.ts';
import { date } from '../dates.ts';
import { bold, clean, cutEscaped, literal } from '../escape.ts';
import { body } from '../links.ts';
import { passage } from '../results/phrases.ts';

const MAX_LINES = 60;
const MAX_ITEMS = 10;
const MAX_DEPTH = 4;
const MAX_KEY = 60;
const MAX_VALUE = 800;
/** As escaped: several of them still fit into a section. */
const MAX_LINE = 1400;
const INDENT = '\u2003';
const NOTHING = '–';
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/u;

/**
 * A record's fields as lines of safe mrkdwn, `*Error rate*: 0.4`; nested ones are indented below. Fields that their source left
 * empty are left out.
 *
 * @param lead the keys to show first, where they exist
 */
export function factLines(data: Record<string, unknown>, lead: readonly string[] = []): string[] {
  const lines: string[] = [];
  for (const line of linesOf(inOrder(data, lead), 0)) {
    if (lines.length === MAX_LINES) return [...lines, '… shortened: the raw JSON has all of it'];
    lines.push(cutEscaped(line, MAX_LINE));
  }
  return lines;
}

function inOrder(data: Record<string, unknown>, lead: readonly string[]): [string, unknown][] {
  const entries = Object.entries(data);
  const place = ([key]: [string, unknown]) => {
    const found = lead.indexOf(key.toLowerCase().replace(/[^a-z]/gu, ''));
    return found < 0 ? lead.length : found;
  };
  return lead.length === 0 ? entries : entries.toSorted((a, b) => place(a) - place(b));
}

// One by one: of what is very long, only the beginning is ever written.
function* linesOf(entries: Iterable<readonly [string, unknown]>, depth: number): Generator<string> {
  const indent = INDENT.repeat(depth);
  for (const [key, value] of entries) {
    if (isEmpty(value)) continue;
    const name = `${indent}${bold(labelOf(key)) || NOTHING}`;
    const short = shortText(value);
    if (short !== null) yield `${name}: ${short}`;
    else if (depth >= MAX_DEPTH) yield `${name}: …`;
    else if (Array.isArray(value)) {
      yield `${name}:`;
      yield* itemLines(value, depth + 1);
    } else if (isJsonObject(value)) {
      yield `${name}:`;
      yield* linesOf(Object.entries(value), depth + 1);
    }
  }
}

function* itemLines(items: readonly unknown[], depth: number): Generator<string> {
  const indent = INDENT.repeat(depth);
  for (const item of items.slice(0, MAX_ITEMS)) {
    const inOne = isJsonObject(item) ? flat(item) : shortText(item);
    if (inOne !== null) yield `${indent}• ${inOne}`;
    else if (depth >= MAX_DEPTH) yield `${indent}• …`;
    else {
      const [first, ...rest] = isJsonObject(item)
        ? [...linesOf(Object.entries(item), depth + 1)]
        : Array.isArray(item)
          ? [...itemLines(item, depth + 1)]
          : [];
      if (first !== undefined) yield `${indent}• ${first.trimStart()}`;
      yield* rest;
    }
  }
  if (items.length > MAX_ITEMS) yield `${indent}… ${items.length - MAX_ITEMS} more`;
}

/** What a source writes for a field that it has no value for. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === undefined;
}

/** A record with nothing nested, on one line; `null` for others. */
function flat(record: Record<string, unknown>): string | null {
  const entries = Object.entries(record).filter(([, value]) => !isEmpty(value));
  if (entries.length === 0) return NOTHING;
  if (entries.length > 8) return null;
  const parts: string[] = [];
  for (const [key, value] of entries) {
    const short = shortText(value);
    if (short === null) return null;
    parts.push(`${literal(labelOf(key)) || NOTHING}: ${short.replace(/\s+/gu, ' ')}`);
  }
  return parts.join(' · ');
}

/** A value without nesting as safe mrkdwn, else `null`. */
function shortText(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return textOf(value);
    case 'number':
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? 'yes' : 'no';
    case 'object':
      if (value === null) return NOTHING;
      if (Array.isArray(value)) return listed(value);
      return Object.keys(value).length === 0 ? NOTHING : null;
    default:
      return NOTHING;
  }
}

function textOf(text: string): string {
  if (TIMESTAMP.test(text)) return date(Date.parse(text));
  return body(passage(text, MAX_VALUE)) || NOTHING;
}

function listed(items: readonly unknown[]): string | null {
  if (items.length === 0) return NOTHING;
  const shown = items.slice(0, 2 * MAX_ITEMS);
  if (shown.some((item) => typeof item === 'object' && item !== null)) return null;
  const texts = shown.map((item) => oneLine(shortText(item) ?? NOTHING));
  const more = items.length - shown.length;
  return `${texts.join(', ')}${more > 0 ? `, … ${more} more` : ''}`;
}

/** `errorRate` and `error_rate` as `Error rate`; names with dots stay. Not escaped yet. */
function labelOf(key: string): string {
  const words = oneLine(clean(key.slice(0, 4 * MAX_KEY))).slice(0, MAX_KEY);
  if (words.includes('.') || words.includes('/')) return words.toWellFormed();
  const parted = words.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ').replace(/[_-]+/gu, ' ');
  const lower = parted.replace(/\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase()).trim();
  return `${lower.charAt(0).toUpperCase()}${lower.slice(1)}`.toWellFormed();
}

/** The first text or number among the names, as text; empty if there is none. */
export function textAt(record: Record<string, unknown>, names: readonly string[]): string {
  for (const name of names) {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return '';
}

/** The first list with something in it among the names. */
export function listAt(record: Record<string, unknown>, names: readonly string[]): unknown[] | null {
  for (const name of names) {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if (Array.isArray(value) && value.length > 0) return value;
  }
  return null;
}

/** Without what is shown in another form. */
export function without(record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** The time of day in UTC, `08:15:02`; empty for what is no time. Times of whole seconds and finer are read. */
export function clockTime(record: Record<string, unknown>, names: readonly string[]): string {
  const at = momentOf(textAt(record, names));
  return at === null ? '' : new Date(at).toISOString().slice(11, 19);
}

/** Milliseconds since the epoch, of an ISO time or of a number of seconds, milliseconds, micro- or nanoseconds. */
export function momentOf(text: string): number | null {
  const stated = /^\d+(?:\.\d+)?$/u.test(text) ? inMilliseconds(Number(text)) : Date.parse(text);
  return stated >= 0 && stated <= LATEST ? stated : null;
}

export const times = ['timestamp', 'at', 'time', 'ts', '@timestamp', 'date', 'startTime', 'timeUnixNano'];

/** The records in a list; other elements are skipped. */
export function recordsOf(list: readonly unknown[]): Record<string, unknown>[] {
  return list.filter(isJsonObject);
}

/** The end of the year 9999. */
const LATEST = 253_402_300_799_999;

function inMilliseconds(number: number): number {
  if (number < 1e11) return number * 1000;
  if (number < 1e14) return number;
  return number < 1e17 ? number / 1000 : number / 1e6;
}

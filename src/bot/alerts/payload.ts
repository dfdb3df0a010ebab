import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isJsonObject } from '../../lib/json.ts';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import { each, type Steps } from '../shared/turns.ts';
import { type Fact, fromLabels, isFieldName, type LabelFields, tagsFrom } from './facts.ts';
import type { ReceivedAlert } from './format.ts';
import { isoTimestamp, timestampIn } from './timestamps.ts';
import { isLasting } from './values.ts';

/** The parts of a webhook's payload that formats share. A part of the wrong type is empty; it never fails the payload. */

/** Names and values of labels, or of annotations. */
export type Labels = Record<string, string>;

const MAX_STRING = 20_000;
const MAX_URL = 4_000;
/** Of an alert's labels, and of its annotations, that are worked on. */
const MAX_LABELS = 256;
/** Of the alerts in one webhook: a megabyte holds about as many of the usual size. */
const MAX_ALERTS = 2_000;
const MAX_VALUES = 50_000;
const MAX_LABEL_NAME = 200;
const MAX_LABEL_VALUE = 1_000;
const MAX_NOTE = 150;
/** Every control character but tab and newline. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

/** A text without control characters and half surrogate pairs, cut at 20,000 characters. */
export function cleanText(text: string): string {
  return text.slice(0, MAX_STRING).replace(CONTROL, '').toWellFormed();
}

/** A text, a number or a boolean as text; anything else is empty. */
export const scalarText = z.unknown().transform(textOf).catch('');

function textOf(value: unknown): string {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? cleanText(String(value)).trim() : '';
}

export const TOO_MANY_VALUES =
  'The body has more than 50,000 values: send fewer alerts at once, or fewer labels.';

/** Whether a JSON text holds too many values, seen before it is parsed: objects of very many keys are slow to build. */
export function hasTooManyValues(json: string, most = MAX_VALUES): boolean {
  if (!/^\s*[[{]/u.test(json)) return false;
  let values = 1;
  let isInString = false;
  for (let at = 0; at < json.length && values <= most; at += 1) {
    const character = json.charCodeAt(at);
    if (character === BACKSLASH) at += 1;
    else if (character === QUOTE) isInString = !isInString;
    else if (!isInString && (character === COMMA || character === BRACKET || character === BRACE))
      values += 1;
  }
  return values > most;
}

const [QUOTE, COMMA, BRACKET, BACKSLASH, BRACE] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b];

/** An `http` or `https` URL; `null` for anything else, also for one that is too long, since a cut one leads nowhere. */
export const webUrl = z
  .string()
  .max(MAX_URL)
  .transform((text) => cleanText(text).trim())
  .refine((text) => /^https?:\/\//iu.test(text) && URL.canParse(text))
  .nullable()
  .catch(null);

/** A moment, as ISO 8601 in UTC: a text that states one, or the seconds or milliseconds since 1970. */
export const moment = z.union([z.string(), z.number()]).transform(momentOf).catch(null);

function momentOf(value: string | number): string | null {
  const number = Number(value);
  if (value === '' || Number.isNaN(number)) return timestampIn(String(value).slice(0, 100));
  return isoTimestamp(number > 100_000_000_000 ? number : number * 1_000);
}

/** An object whose values are texts, numbers or booleans; other values are left out. */
export const labelMap = z
  .unknown()
  .transform((value) => (isJsonObject(value) ? labelsOf(Object.entries(value)) : {}))
  .catch({});

/** A list of names and values, `["env", "prod"]` or `{"name": "env", "value": "prod"}`. */
export const labelList = z
  .unknown()
  .transform((value): Labels => {
    const list: unknown[] = Array.isArray(value) ? value : [];
    return labelsOf(
      list.flatMap((one): [unknown, unknown][] => {
        if (Array.isArray(one)) return [[one[0], one[1]]];
        return isJsonObject(one) ? [[one.name, one.value]] : [];
      }),
    );
  })
  .catch({});

/** Annotations, the best known of them first where there are too many: of the rest only their number is kept. */
export const annotationMap = labelMap.transform((all): Labels => {
  const { labels, more } = boundedLabels(all);
  return more === 0 ? labels : { ...labels, 'more annotations': String(more) };
});

function labelsOf(pairs: readonly (readonly [unknown, unknown])[]): Labels {
  const labels: Labels = {};
  for (const [rawName, rawValue] of pairs) {
    const [name, value] = [textOf(rawName), textOf(rawValue)];
    if (name !== '' && name !== '__proto__' && value !== '') labels[name] = value;
  }
  return labels;
}

/** At most 256 labels, those of an alert's own fields before the others, and how many more there are. */
export function boundedLabels(all: Labels): { labels: Labels; more: number } {
  const names = Object.keys(all);
  if (names.length <= MAX_LABELS) return { labels: all, more: 0 };
  const known = names.filter(isFieldName);
  const isKnown = new Set(known);
  const kept = [...known, ...names.filter((name) => !isKnown.has(name)).sort()].slice(0, MAX_LABELS);
  return {
    labels: Object.fromEntries(kept.map((name) => [name, all[name] ?? ''])),
    more: names.length - kept.length,
  };
}

/** Tags as a list or as one text with commas: `env:prod` is the label `env`, a word alone is the label's name with no value. */
export const tagList = z
  .unknown()
  .transform((value): string[] => {
    const raw: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
    return raw.map(textOf).filter((tag) => tag !== '');
  })
  .catch([]);

/** The labels among tags: those of the form `name:value`. */
export function labelsOfTags(tags: readonly string[]): Labels {
  return labelsOf(
    tags.flatMap((tag): [string, string][] => {
      const at = tag.indexOf(':');
      return at > 0 ? [[tag.slice(0, at), tag.slice(at + 1)]] : [];
    }),
  );
}

/** As many as are read, and how many more there are. */
export function readable<T>(list: readonly T[]): { items: readonly T[]; more: number } {
  return { items: list.slice(0, MAX_ALERTS), more: Math.max(0, list.length - MAX_ALERTS) };
}

/** The items of a list that fit the schema, at most 2,000; `more` are left out unread. `null` if it is no list. */
export function* itemsOf<T extends z.ZodType>(
  value: unknown,
  item: T,
): Steps<{ items: z.output<T>[]; more: number } | null> {
  if (!Array.isArray(value)) return null;
  const { items, more } = readable<unknown>(value);
  const parsed = yield* each(items, (one) => item.safeParse(one));
  return { items: parsed.flatMap((one) => (one.success ? [one.data] : [])), more };
}

export function tooMany(more: number): string {
  return `${more} more were left out: a webhook may hold ${MAX_ALERTS} alerts.`;
}

/** What labels say in an alert's fields, and the tags of the other labels. */
export function fromLabelMap(labels: Labels): { fields: LabelFields['fields']; tags: string[] } {
  const facts: Fact[] = Object.entries(boundedLabels(labels).labels).map(([name, value]) => ({
    name,
    value,
    url: null,
  }));
  const { fields, used } = fromLabels(facts);
  return { fields, tags: tagsFrom(facts, used) };
}

/** Names and values in the names' order. */
export function sortedPairs(labels: Labels): [string, string][] {
  return Object.keys(labels)
    .sort()
    .map((name) => [name, labels[name] ?? '']);
}

/** The same for a fingerprint: all labels that last count, those that are too many by a digest of them. */
export function identityParts(labels: Labels): string[] {
  const parts = sortedPairs(labels)
    .filter(([name, value]) => isLasting(name, value))
    .flat();
  if (parts.length <= 2 * MAX_LABELS) return parts;
  const rest = JSON.stringify(parts.splice(2 * MAX_LABELS));
  return [...parts, createHash('sha256').update(rest).digest('hex')];
}

/** The first of these labels that has a value, whatever the case of its name. */
export function labelNamed(labels: Labels, ...names: readonly string[]): string | null {
  const lower = new Map(Object.entries(labels).map(([name, value]) => [name.toLowerCase(), value]));
  for (const name of names) {
    const value = lower.get(name);
    if (value) return value;
  }
  return null;
}

/** The links that have a URL, each URL once. */
export function linksTo(
  ...pages: readonly (readonly [text: string, url: unknown])[]
): ReceivedAlert['links'] {
  const found = new Map<string, string>();
  for (const [text, raw] of pages) {
    const url = webUrl.parse(raw);
    if (url !== null && !found.has(url)) found.set(url, text);
  }
  return [...found].map(([url, text]) => ({ text, url }));
}

/**
 * A received alert with nothing but what is given; its note is one line, and note and labels are cut to what Slack can
 * show. Routes see the labels as they were given.
 */
export function receivedAlert(given: Pick<ReceivedAlert, 'alert'> & Partial<ReceivedAlert>): ReceivedAlert {
  const { alert, note = null, labels: all = {}, moreLabels = 0, routing = [], ...others } = given;
  const { labels, more } = boundedLabels(all);
  const left = more + moreLabels;
  return {
    links: [],
    aliases: [],
    groupResolved: alert.kind === 'resolved',
    ...others,
    alert,
    note: note === null ? null : cutAtWord(oneLine(note), MAX_NOTE),
    labels: shownLabels(labels),
    routing: [all, ...routing],
    ...(left === 0 ? {} : { moreLabels: left }),
  };
}

/** Those that have a value. */
export function statedLabels(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''));
}

/** Labels as they are stored. */
export function shownLabels(labels: Labels): Labels {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [
      name.slice(0, MAX_LABEL_NAME),
      value.slice(0, MAX_LABEL_VALUE).toWellFormed(),
    ]),
  );
}

/** What is missing or wrong in a body that is not a JSON object, for the sender. */
export function notAnObject(tool: string): { kind: 'refused'; reason: string } {
  return { kind: 'refused', reason: `The body is not a JSON object, which ${tool} sends.` };
}

import { z } from 'zod';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import { type Fact, fromLabels, type LabelFields, tagsFrom } from './facts.ts';
import type { ReceivedAlert } from './format.ts';
import { isoTimestamp, timestampIn } from './timestamps.ts';

/** The parts of a webhook's payload that formats share. A part of the wrong type is empty; it never fails the payload. */

/** Names and values of labels, or of annotations. */
export type Labels = Record<string, string>;

const MAX_STRING = 20_000;
const MAX_URL = 4_000;
const MAX_LABELS = 100;
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
export const scalarText = z
  .union([z.string(), z.number(), z.boolean()])
  .transform((value) => cleanText(String(value)).trim())
  .catch('');

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
  .transform((value): Labels => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    const kept = Object.entries(value).flatMap(([name, raw]): [string, string][] => {
      const text = scalarText.parse(raw);
      return name === '__proto__' || name === '' || text === '' ? [] : [[cleanText(name), text]];
    });
    return Object.fromEntries(kept);
  })
  .catch({});

/** Tags as a list or as one text with commas: `env:prod` is the label `env`, a word alone is the label's name with no value. */
export const tagList = z
  .unknown()
  .transform((value): string[] => {
    const raw =
      typeof value === 'string' ? value.slice(0, MAX_STRING).split(',') : Array.isArray(value) ? value : [];
    return raw
      .slice(0, MAX_LABELS)
      .map((tag: unknown) => scalarText.parse(tag))
      .filter((tag: string) => tag !== '');
  })
  .catch([]);

/** The labels among tags: those of the form `name:value`. */
export function labelsOfTags(tags: readonly string[]): Labels {
  const pairs = tags.flatMap((tag): [string, string][] => {
    const at = tag.indexOf(':');
    const [name, value] = [tag.slice(0, at).trim(), tag.slice(at + 1).trim()];
    return at > 0 && value !== '' && name !== '__proto__' ? [[name, value]] : [];
  });
  return Object.fromEntries(pairs);
}

/** The items of a list that fit the schema; the others are left out. `null` if it is no list. */
export function itemsOf<T extends z.ZodType>(value: unknown, item: T): z.output<T>[] | null {
  if (!Array.isArray(value)) return null;
  return value.flatMap((one): z.output<T>[] => {
    const parsed = item.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
}

/** What labels say in an alert's fields, and the tags of the other labels. */
export function fromLabelMap(labels: Labels): { fields: LabelFields['fields']; tags: string[] } {
  const facts: Fact[] = Object.entries(labels).map(([name, value]) => ({ name, value, url: null }));
  const { fields, used } = fromLabels(facts);
  return { fields, tags: tagsFrom(facts, used) };
}

/** Names and values in the names' order, for a fingerprint. */
export function sortedPairs(labels: Labels): [string, string][] {
  return Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
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

/** A received alert with nothing but what is given; its note is one line, and note and labels are cut to what Slack can show. */
export function receivedAlert(given: Pick<ReceivedAlert, 'alert'> & Partial<ReceivedAlert>): ReceivedAlert {
  const { alert, note = null } = given;
  return {
    links: [],
    aliases: [],
    groupResolved: alert.kind === 'resolved',
    ...given,
    note: note === null ? null : cutAtWord(oneLine(note), MAX_NOTE),
    labels: shownLabels(given.labels ?? {}),
  };
}

function shownLabels(labels: Labels): Labels {
  return Object.fromEntries(
    Object.entries(labels)
      .slice(0, MAX_LABELS)
      .map(([name, value]) => [
        name.slice(0, MAX_LABEL_NAME),
        value.slice(0, MAX_LABEL_VALUE).toWellFormed(),
      ]),
  );
}

/** What is missing or wrong in a body that is not a JSON object, for the sender. */
export function notAnObject(tool: string): { kind: 'refused'; reason: string } {
  return { kind: 'refused', reason: `The body is not a JSON object, which ${tool} sends.` };
}

/** Whether a value is an object with keys, and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

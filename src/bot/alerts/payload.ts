import { z } from 'zod';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import { type Fact, fromLabels, type LabelFields, tagsFrom } from './facts.ts';
import type { ReceivedAlert } from './format.ts';
import { fingerprintOf } from './identity.ts';
import { toErrorMessage, toTitle } from './slack-text.ts';
import { incidentKind, severityOf } from './state.ts';
import { isoTimestamp, timestampIn } from './timestamps.ts';
import { type AlertKind, emptyAlert, type Severity } from './types.ts';

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

/** What an item of an unknown payload says, before it is an alert; each is empty if it says nothing. */
export interface ItemReading {
  title: unknown;
  description: unknown;
  severity: unknown;
  status: unknown;
  labels: unknown;
  time: unknown;
  link: unknown;
  fingerprint: unknown;
  service: unknown;
  environment: unknown;
}

/** How a tool's own words are to be understood. */
interface ItemVocabulary {
  /** Severities by the tool's words, in lower case. */
  severities: ReadonlyMap<string, Severity>;
  /** The statuses that mean a recovery, in lower case; without any, the usual words count. */
  resolved: readonly string[];
}

export const NO_VOCABULARY: ItemVocabulary = { severities: new Map(), resolved: [] };

/** The usual names of each part, the most reliable first. */
const USUAL: Readonly<Record<keyof ItemReading, readonly string[]>> = {
  title: [
    'title',
    'alertname',
    'alert_name',
    'alertName',
    'summary',
    'name',
    'subject',
    'headline',
    'message',
    'text',
    'event',
    'detail-type',
  ],
  description: [
    'description',
    'details',
    'detail',
    'body',
    'message',
    'text',
    'reason',
    'summary',
    'error',
    'content',
  ],
  severity: ['severity', 'priority', 'level', 'urgency', 'criticality'],
  status: [
    'status',
    'state',
    'alert_status',
    'alertStatus',
    'action',
    'event_type',
    'eventType',
    'transition',
  ],
  labels: ['labels', 'tags', 'attributes', 'dimensions', 'metadata', 'custom_details'],
  time: [
    'startsAt',
    'starts_at',
    'started_at',
    'startedAt',
    'triggered_at',
    'triggeredAt',
    'timestamp',
    'time',
    'date',
    'created_at',
    'createdAt',
  ],
  link: ['url', 'link', 'alert_url', 'alertUrl', 'html_url', 'generatorURL', 'permalink', 'href'],
  fingerprint: [
    'fingerprint',
    'dedup_key',
    'dedupKey',
    'alert_id',
    'alertId',
    'incident_id',
    'incidentId',
    'id',
    'key',
  ],
  service: ['service', 'service_name', 'serviceName', 'application', 'app', 'component'],
  environment: ['environment', 'env'],
};

/** The parts of an item under their usual names; its annotations and nested `alert` or `incident` count too. */
export function usualParts(item: Readonly<Record<string, unknown>>): ItemReading {
  const places = [item, item.annotations, item.alert, item.incident, item.data, item.payload].filter(
    isRecord,
  );
  const find = (names: readonly string[], usable: (value: unknown) => boolean): unknown => {
    for (const place of places)
      for (const name of names) if (Object.hasOwn(place, name) && usable(place[name])) return place[name];
    return undefined;
  };
  const text = (names: readonly string[]) => find(names, (value) => scalarText.parse(value) !== '');
  return {
    title: text(USUAL.title),
    description: text(USUAL.description),
    severity: text(USUAL.severity),
    status: text(USUAL.status),
    labels: find(
      USUAL.labels,
      (value) => isRecord(value) || Array.isArray(value) || typeof value === 'string',
    ),
    time: text(USUAL.time),
    link: find(USUAL.link, (value) => webUrl.parse(value) !== null),
    fingerprint: text(USUAL.fingerprint),
    service: text(USUAL.service),
    environment: text(USUAL.environment),
  };
}

/**
 * The alert that an item's parts make; `null` if they name nothing. Its identity is the fingerprint that the item states,
 * else its title and labels.
 */
export function alertOfParts(
  source: string,
  parts: ItemReading,
  words: ItemVocabulary,
): ReceivedAlert | null {
  const labels = labelsIn(parts.labels);
  const { fields, tags } = fromLabelMap(labels);
  const description = scalarText.parse(parts.description);
  const title = toTitle(scalarText.parse(parts.title) || labels.alertname || description);
  if (title === null) return null;
  const status = scalarText.parse(parts.status);
  const severity = scalarText.parse(parts.severity);
  const stated = scalarText.parse(parts.fingerprint);
  const identity = stated === '' ? ['title', title, ...sortedPairs(labels).flat()] : ['stated', stated];
  const kind = kindOf(status, words.resolved);
  const link = webUrl.parse(parts.link);
  return receivedAlert({
    alert: {
      ...emptyAlert('generic'),
      ...fields,
      kind,
      title,
      description: description || title,
      severity: words.severities.get(severity.toLowerCase()) ?? severityOf(severity) ?? fields.severity,
      service: scalarText.parse(parts.service) || fields.service,
      environment: scalarText.parse(parts.environment) || fields.environment,
      triggeredAt: moment.parse(parts.time),
      alertUrl: link,
      errorMessage: toErrorMessage(description),
      tags,
      fingerprint: fingerprintOf(`webhook-${source}`, ...identity),
    },
    note: kind === 'not_an_alert' ? status : null,
    labels,
    links: linksTo(['Source', link]),
  });
}

function labelsIn(value: unknown): Labels {
  return isRecord(value) ? labelMap.parse(value) : labelsOfTags(tagList.parse(value));
}

/** A status that nobody declared means what such a word usually means; one that is not known is an alert. */
function kindOf(status: string, resolved: readonly string[]): AlertKind {
  if (resolved.length > 0) return resolved.includes(status.toLowerCase()) ? 'resolved' : 'firing';
  if (/^(?:up|healthy|normal|good|success|fixed|restored|false|0)$/iu.test(status)) return 'resolved';
  return incidentKind(status.split('.').at(-1) ?? '') ?? 'firing';
}

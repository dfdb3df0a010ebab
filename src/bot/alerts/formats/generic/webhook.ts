import { z } from 'zod';
import { isJsonObject } from '../../../../lib/json.ts';
import { misspeltFields } from '../../../../lib/misspelt.ts';
import { atOnce, each, type Steps } from '../../../shared/turns.ts';
import { wordsOfKey } from '../../facts.ts';
import type { ReceivedAlert, WebhookFormat, WebhookReading } from '../../format.ts';
import { alertOfParts, type ItemReading, NO_VOCABULARY, usualParts } from '../../parts.ts';
import { cleanText, moment, readable, receivedAlert, tooMany } from '../../payload.ts';
import { SenderMap } from '../../senders/map.ts';
import type { Alert, Severity } from '../../types.ts';

/** The keys under which tools put a list of alerts. */
const LISTS = ['alerts', 'items', 'events', 'incidents', 'results', 'records'];

const RULE = /(?:^| )(?:search|rule|monitor|check|alert|alarm|policy|query)$/u;

/** Reads a message as Slack would deliver it. */
type MessageReader = (message: Readonly<Record<string, unknown>>) => Alert | null;

/**
 * Any other tool, or a source whose payloads a field map describes (`ALERT_MAP_<NAME>`); without a map, or where the map
 * finds nothing, the usual names are looked for. A body that is made for Slack is read as Slack's message.
 */
export function createGenericWebhook(
  name: string,
  map: FieldMap | null,
  readMessage: MessageReader = () => null,
): WebhookFormat {
  return {
    name,
    tool: name === 'generic' ? 'Webhook' : name,
    read: (payload) => atOnce(steps(payload)),
    steps,
  };

  function* steps(payload: unknown): Steps<WebhookReading> {
    return (
      (map === null ? slackReading(payload, readMessage) : null) ?? (yield* readItems(name, map, payload))
    );
  }
}

/** What a body for Slack's incoming webhooks may hold. */
const FOR_SLACK = new Set(
  'text attachments blocks username channel icon_emoji icon_url mrkdwn link_names unfurl_links unfurl_media parse as_user'.split(
    ' ',
  ),
);

function slackReading(payload: unknown, readMessage: MessageReader): WebhookReading | null {
  if (!isJsonObject(payload) || !Object.keys(payload).every((key) => FOR_SLACK.has(key))) return null;
  const alert = isEmpty(payload) ? null : readMessage(payload);
  if (alert === null) return null;
  const note = alert.kind === 'not_an_alert' ? alert.title : null;
  return alert.fingerprint === null
    ? { kind: 'nothing', reason: 'It is a message for Slack that is about no alert.' }
    : { kind: 'alerts', alerts: [receivedAlert({ alert, note })] };
}

function isEmpty({ text, attachments, blocks }: Readonly<Record<string, unknown>>): boolean {
  return (
    (typeof text !== 'string' || text.trim() === '') && attachments === undefined && blocks === undefined
  );
}

function* readItems(source: string, map: FieldMap | null, payload: unknown): Steps<WebhookReading> {
  if (typeof payload === 'string') return reading([textAlert(source, payload)]);
  const items = itemsIn(map, payload);
  if (items === null)
    return {
      kind: 'refused',
      reason:
        map?.items === undefined
          ? 'The body is neither a JSON object nor a list of them.'
          : `The body has no list or object at \`${map.items}\`, where the field map looks for alerts.`,
    };
  if (items.length === 0) {
    return payload === items
      ? { kind: 'refused', reason: `The list is empty. ${EXPECTED}` }
      : { kind: 'nothing', reason: 'Its list of alerts is empty.' };
  }
  const few = readable(items);
  const found = yield* each(few.items, (item) => (isJsonObject(item) ? alertIn(source, map, item) : null));
  const read = reading(found, few.items, few.more);
  const sentAt = timesIn(map, payload, few.items, found);
  return read.kind === 'alerts' && sentAt.length > 0 ? { ...read, sentAt } : read;
}

function reading(
  found: readonly (ReceivedAlert | null)[],
  items: readonly unknown[] = [],
  unread = 0,
): WebhookReading {
  const alerts = found.filter((alert) => alert !== null);
  if (alerts.length === 0) return { kind: 'refused', reason: nothingNamed(items) };
  const left = found.length - alerts.length;
  const notes = [
    ...(left > 0 ? [`${left === 1 ? 'One item names' : `${left} items name`} no alert.`] : []),
    ...(unread > 0 ? [tooMany(unread)] : []),
  ];
  return { kind: 'alerts', alerts, ...(notes.length > 0 ? { note: notes.join(' ') } : {}) };
}

const EXPECTED =
  'An alert is a JSON object with at least `title`, or a list of them, for example {"title": "Disk is full", "severity": "high", "service": "orders"}.';

/** The fields that say what an alert is about, by their plainest names. */
const TITLES = ['title', 'summary', 'message', 'text', 'subject', 'description'];

function nothingNamed(items: readonly unknown[]): string {
  const meant = misspeltFields(items.find(isJsonObject), TITLES).map((slip) => `\`${slip.meant}\``);
  const slip = meant.length === 0 ? '' : ` A field seems to be misspelt: did you mean ${meant.join(' or ')}?`;
  return `Nothing in the body names an alert: it has no title and no text.${slip} ${EXPECTED}`;
}

function alertIn(
  source: string,
  map: FieldMap | null,
  item: Readonly<Record<string, unknown>>,
): ReceivedAlert | null {
  const usual = usualParts(item);
  if (map === null) return alertOfParts(source, usual, NO_VOCABULARY);
  const mapped = (path: string | undefined, otherwise: unknown) =>
    path === undefined ? otherwise : valueAt(item, path);
  const parts: ItemReading = {
    ...usual,
    title: mapped(map.title, usual.title) ?? usual.title,
    description: mapped(map.description, usual.description),
    severity: mapped(map.severity, usual.severity),
    status: mapped(map.status, undefined),
    labels: mapped(map.labels, usual.labels),
    time: mapped(map.time, usual.time),
    link: mapped(map.link, usual.link),
    // What a person names as the identity is one, whatever else an alert says.
    fingerprint: map.fingerprint === undefined ? usual.fingerprint : undefined,
    incident: mapped(map.fingerprint, usual.incident),
    service: mapped(map.service, usual.service),
    environment: mapped(map.environment, usual.environment),
  };
  // What the map calls a text, a grade or a state is not of its object.
  const stated = new Set([parts.description, parts.severity, parts.status, parts.time].map(String));
  const values = usual.values.filter(({ text }) => !stated.has(text));
  return alertOfParts(source, { ...parts, values }, { severities: map.severityMap, resolved: map.resolved });
}

/** When a payload was sent, as `sent` names it in the body or its items; else when its alerts began to fire. */
function timesIn(
  map: FieldMap | null,
  payload: unknown,
  items: readonly unknown[],
  found: readonly (ReceivedAlert | null)[],
): string[] {
  const { sent, time } = map ?? {};
  if (sent !== undefined) {
    const times = [payload, ...items].flatMap((one) => moment.parse(valueAt(one, sent)) ?? []);
    // One that states no time cannot show that it is new.
    return times.length > 0 ? times : [new Date(0).toISOString()];
  }
  if (time === undefined) return [];
  return found.flatMap((one) => (one?.alert.kind === 'firing' ? (one.alert.triggeredAt ?? []) : []));
}

/** A body of plain text: its first line is the title. */
function textAlert(source: string, body: string): ReceivedAlert | null {
  const text = cleanText(body).trim();
  const [title = ''] = text.split('\n', 1);
  return alertOfParts(source, { ...usualParts({}), title, description: text }, NO_VOCABULARY);
}

function itemsIn(map: FieldMap | null, payload: unknown): unknown[] | null {
  if (map?.items !== undefined) {
    const found = valueAt(payload, map.items);
    if (Array.isArray(found)) return found;
    return isJsonObject(found) ? [found] : null;
  }
  if (Array.isArray(payload)) return payload;
  if (!isJsonObject(payload)) return null;
  const list = LISTS.map((name) => payload[name]).find(
    (value) => Array.isArray(value) && value.some(isJsonObject),
  );
  // A list beside the name of a search or a rule is of what it found.
  const isSample = Object.entries(payload).some(
    ([key, value]) => isJsonObject(value) && RULE.test(wordsOfKey(key)),
  );
  return Array.isArray(list) && !(isSample && list !== payload.alerts) ? list : [payload];
}

const path = z
  .string()
  .min(1)
  .max(300)
  .transform((text) => text.replace(/^\$\.?/u, ''))
  .optional();

const words = z.union([z.string(), z.number(), z.boolean()]).transform((word) => String(word).toLowerCase());
const severity = z.enum(['low', 'medium', 'high']);

/**
 * Where a source's payloads say what, as `ALERT_MAP_<NAME>` holds it in JSON. Paths have dots (`alert.labels`,
 * `alerts.0.name`) and begin at the item, the path of the items at the body.
 */
export const FieldMap = z.strictObject({
  /** The list of alerts; without it, the body is one alert or a list of them. */
  items: path,
  title: path,
  description: path,
  severity: path,
  /** Severities by the tool's words: `{ "SEV-A": "high" }`. */
  severityMap: z
    .record(z.string(), severity)
    .transform(
      (map): ReadonlyMap<string, Severity> =>
        new Map(Object.entries(map).map(([word, meaning]) => [word.toLowerCase(), meaning])),
    )
    .default(new Map()),
  labels: path,
  status: path,
  /** The statuses that mean a recovery. */
  resolved: z.union([words.transform((word) => [word]), z.array(words)]).default([]),
  time: path,
  /** When it was sent: with a signature, what was sent more than an hour ago is refused. */
  sent: path,
  link: path,
  fingerprint: path,
  service: path,
  environment: path,
  /** How the messages of the sender or the source of that name are read, as `/gumshoe` exports it. */
  messages: SenderMap.optional(),
});
export type FieldMap = z.output<typeof FieldMap>;

/** The value at a path with dots; `undefined` if there is none. A key that has dots itself is found too. */
function valueAt(value: unknown, at: string): unknown {
  let current = value;
  let rest = at;
  while (rest !== '') {
    if (isJsonObject(current) && Object.hasOwn(current, rest)) return current[rest];
    const [key = ''] = rest.split('.', 1);
    if (Array.isArray(current)) current = /^\d{1,6}$/u.test(key) ? current[Number(key)] : undefined;
    else current = isJsonObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
    if (current === undefined) return undefined;
    rest = rest.slice(key.length + 1);
  }
  return current;
}

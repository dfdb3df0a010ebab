import { alertOfParts, type ItemReading, NO_VOCABULARY, usualParts } from '../../best-reading.ts';
import { cleanText, isRecord } from '../../payload.ts';
import type { ReceivedAlert, WebhookFormat, WebhookReading } from '../../webhook-format.ts';
import { type FieldMap, valueAt } from './field-map.ts';

/** Any other tool: the usual names of a payload's parts. */
export const genericWebhook: WebhookFormat = createGenericWebhook('generic', null);

/** The keys under which tools put a list of alerts. */
const LISTS = ['alerts', 'items', 'events', 'incidents', 'results', 'records'];

/**
 * A source whose payloads a field map describes (`ALERT_MAP_<NAME>`); without a map, or where the map finds nothing, the
 * usual names are looked for.
 */
export function createGenericWebhook(name: string, map: FieldMap | null): WebhookFormat {
  return { name, tool: name === 'generic' ? 'Webhook' : name, read: (payload) => read(name, map, payload) };
}

function read(source: string, map: FieldMap | null, payload: unknown): WebhookReading {
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
  if (items.length === 0) return { kind: 'nothing', reason: 'Its list of alerts is empty.' };
  return reading(items.map((item) => (isRecord(item) ? alertIn(source, map, item) : null)));
}

function reading(found: readonly (ReceivedAlert | null)[]): WebhookReading {
  const alerts = found.filter((alert) => alert !== null);
  if (alerts.length === 0)
    return { kind: 'refused', reason: 'Nothing in the body names an alert: it has no title and no text.' };
  const left = found.length - alerts.length;
  return {
    kind: 'alerts',
    alerts,
    ...(left > 0 ? { note: `${left === 1 ? 'One item names' : `${left} items name`} no alert.` } : {}),
  };
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
    title: mapped(map.title, usual.title) ?? usual.title,
    description: mapped(map.description, usual.description),
    severity: mapped(map.severity, usual.severity),
    status: mapped(map.status, usual.status),
    labels: mapped(map.labels, usual.labels),
    time: mapped(map.time, usual.time),
    link: mapped(map.link, usual.link),
    fingerprint: mapped(map.fingerprint, usual.fingerprint),
    service: mapped(map.service, usual.service),
    environment: mapped(map.environment, usual.environment),
  };
  return alertOfParts(source, parts, { severities: map.severityMap, resolved: map.resolved });
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
    return isRecord(found) ? [found] : null;
  }
  if (Array.isArray(payload)) return payload;
  if (!isRecord(payload)) return null;
  const list = LISTS.map((name) => payload[name]).find(
    (value) => Array.isArray(value) && value.some(isRecord),
  );
  return Array.isArray(list) ? list : [payload];
}

import { emptyAlert } from './empty-alert.ts';
import { fingerprintOf } from './fingerprint.ts';
import { incidentKind } from './incident-state.ts';
import {
  fromLabelMap,
  isRecord,
  type Labels,
  labelMap,
  labelsOfTags,
  linksTo,
  moment,
  receivedAlert,
  scalarText,
  sortedPairs,
  tagList,
  webUrl,
} from './payload.ts';
import { severityOf } from './severity.ts';
import { toErrorMessage, toTitle } from './text-fields.ts';
import type { AlertKind, Severity } from './types.ts';
import type { ReceivedAlert } from './webhook-format.ts';

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
export interface ItemVocabulary {
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

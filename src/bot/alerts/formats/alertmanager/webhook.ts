import { z } from 'zod';
import { emptyAlert } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import {
  fromLabelMap,
  itemsOf,
  type Labels,
  labelMap,
  labelNamed,
  linksTo,
  moment,
  notAnObject,
  receivedAlert,
  scalarText,
  sortedPairs,
  webUrl,
} from '../../payload.ts';
import { toErrorMessage, toTitle } from '../../text-fields.ts';
import type { AlertAlias, ReceivedAlert, WebhookFormat, WebhookReading } from '../../webhook-format.ts';
import { groupAlias } from './group-alias.ts';
import { HEARTBEATS } from './heartbeats.ts';

const Entry = z.object({
  status: scalarText,
  labels: labelMap,
  annotations: labelMap,
  startsAt: moment,
  generatorURL: webUrl,
  fingerprint: scalarText,
});
type Entry = z.output<typeof Entry>;

const Payload = z.object({
  alerts: z.unknown(),
  status: scalarText,
  externalURL: scalarText,
  groupLabels: labelMap,
  commonLabels: labelMap,
  /** The labels of the route that led here, since 0.34; they say where an alert belongs, but not what it is. */
  routeLabels: labelMap,
  truncatedAlerts: z.number().int().positive().catch(0),
});

/** Alertmanager's webhook receiver, version 4 of its payload. Each alert of a group is an alert of its own. */
export const alertmanagerWebhook: WebhookFormat = { name: 'alertmanager', tool: 'Alertmanager', read };

function read(payload: unknown): WebhookReading {
  const parsed = Payload.safeParse(payload);
  if (!parsed.success) return notAnObject('Alertmanager');
  const { alerts, truncatedAlerts } = parsed.data;
  const entries = itemsOf(alerts, Entry);
  if (entries === null)
    return {
      kind: 'refused',
      reason:
        'The body has no list `alerts`. If the receiver is configured with a `payload` of its own, remove it, or send it to a source with a field map.',
    };
  const real = entries.filter(({ labels }) => !HEARTBEATS.has(labels.alertname ?? ''));
  if (real.length === 0)
    return {
      kind: 'nothing',
      reason: entries.length > 0 ? 'It holds nothing but heartbeats.' : 'Its list of alerts is empty.',
    };
  const externalUrl = parsed.data.externalURL.replace(/\/+$/u, '');
  const { groupLabels, commonLabels } = parsed.data;
  const group: Group = {
    externalUrl,
    routeLabels: parsed.data.routeLabels,
    aliases: groupAlias({ externalUrl, groupLabels, commonLabels }),
    resolved:
      parsed.data.status === '' ? real.every(isResolved) : parsed.data.status.toLowerCase() === 'resolved',
  };
  return {
    kind: 'alerts',
    alerts: real.map((entry) => received(entry, group)),
    ...(truncatedAlerts > 0 ? { note: truncation(truncatedAlerts) } : {}),
  };
}

interface Group {
  externalUrl: string;
  routeLabels: Labels;
  aliases: AlertAlias[];
  resolved: boolean;
}

function truncation(count: number): string {
  return `Alertmanager left out ${count === 1 ? 'one alert' : `${count} alerts`} (\`max_alerts\`).`;
}

function isResolved({ status }: Entry): boolean {
  return status.toLowerCase() === 'resolved';
}

function received(entry: Entry, { externalUrl, routeLabels, aliases, resolved }: Group): ReceivedAlert {
  const { labels, annotations } = entry;
  const { fields, tags } = fromLabelMap(labels);
  const summary = labelNamed(annotations, 'summary', 'title');
  const details = labelNamed(annotations, 'description', 'message') ?? summary;
  const title = toTitle([labels.alertname, summary ?? details].filter(Boolean).join(': '));
  const page = webUrl.parse(`${externalUrl}/#/alerts`);
  return receivedAlert({
    alert: {
      ...emptyAlert('alertmanager'),
      ...fields,
      kind: isResolved(entry) ? 'resolved' : 'firing',
      title: title ?? 'Alert without a name',
      description: descriptionOf(annotations) ?? title,
      triggeredAt: entry.startsAt,
      alertUrl: entry.generatorURL ?? page,
      errorMessage: toErrorMessage(details),
      tags,
      fingerprint: identityOf(externalUrl, labels, entry.fingerprint),
    },
    labels: { ...routeLabels, ...labels },
    links: linksTo(
      ['Runbook', labelNamed(annotations, 'runbook_url', 'runbook')],
      ['Dashboard', labelNamed(annotations, 'dashboard_url', 'dashboard', '__dashboardurl__')],
      ['Source', entry.generatorURL],
      ['Alertmanager', page],
    ),
    aliases,
    groupResolved: resolved,
  });
}

/** An alert is its labels; Alertmanager's `fingerprint` is a hash of them, and counts only where they are missing. */
function identityOf(externalUrl: string, labels: Labels, fingerprint: string): string {
  const pairs = sortedPairs(labels).flat();
  return fingerprintOf('alertmanager-alert', externalUrl, ...(pairs.length > 0 ? pairs : [fingerprint]));
}

/** The annotations that people wrote: the description first, then the others by name, without links. */
function descriptionOf(annotations: Labels): string | null {
  const main = ['description', 'message', 'summary'];
  const texts = main.flatMap((name) => annotations[name] ?? []);
  const others = sortedPairs(annotations)
    .filter(([name, value]) => !main.includes(name) && !name.startsWith('__') && !/^https?:/u.test(value))
    .map(([name, value]) => `${name}: ${value}`);
  return [...new Set(texts), ...others].join('\n\n') || null;
}

import { z } from 'zod';
import { fingerprintOf } from '../../fingerprint.ts';
import {
  itemsOf,
  type Labels,
  labelMap,
  notAnObject,
  receivedAlert,
  scalarText,
  sortedPairs,
  webUrl,
} from '../../payload.ts';
import { alertOf, isResolved, linksOfAlert, PrometheusAlert } from '../../prometheus-alert.ts';
import type { AlertAlias, ReceivedAlert, WebhookFormat, WebhookReading } from '../../webhook-format.ts';
import { groupAlias } from './group-alias.ts';
import { HEARTBEATS } from './heartbeats.ts';

const Payload = z.object({
  alerts: z.unknown().optional(),
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
  const entries = itemsOf(alerts, PrometheusAlert);
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
    groupLabels,
    size: real.length,
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
  groupLabels: Labels;
  size: number;
  aliases: AlertAlias[];
  resolved: boolean;
}

/** In larger groups only the group's own message is looked for: a message is read for each alias. */
const MAX_ALONE = 20;

function truncation(count: number): string {
  return `Alertmanager left out ${count === 1 ? 'one alert' : `${count} alerts`} (\`max_alerts\`).`;
}

function received(entry: PrometheusAlert, group: Group): ReceivedAlert {
  const { externalUrl, routeLabels, resolved } = group;
  const page = webUrl.parse(`${externalUrl}/#/alerts`);
  const alert = alertOf('alertmanager', entry);
  const links = linksOfAlert(entry);
  return receivedAlert({
    alert: {
      ...alert,
      alertUrl: alert.alertUrl ?? page,
      fingerprint: identityOf(externalUrl, entry.labels, entry.fingerprint),
    },
    labels: { ...routeLabels, ...entry.labels },
    links: page === null ? links : [...links, { text: 'Alertmanager', url: page }],
    aliases: aliasesOf(entry, group),
    groupResolved: resolved,
  });
}

/**
 * The message in Slack from when this alert was alone in its group, and the group's own: each receiver is notified by a
 * timer of its own, so Slack may have been told before the others joined.
 */
function aliasesOf({ labels }: PrometheusAlert, group: Group): AlertAlias[] {
  const { externalUrl, groupLabels, size, aliases } = group;
  if (size === 1 || size > MAX_ALONE) return aliases;
  // An alert with no labels but those that the group shares is written as the group is.
  const alone = groupAlias({ externalUrl, groupLabels, commonLabels: labels }).filter(
    ({ fingerprint }) => !aliases.some((alias) => alias.fingerprint === fingerprint),
  );
  return [...alone.map((alias): AlertAlias => ({ ...alias, alone: true })), ...aliases];
}

/** An alert is its labels; Alertmanager's `fingerprint` is a hash of them, and counts only where they are missing. */
function identityOf(externalUrl: string, labels: Labels, fingerprint: string): string {
  const pairs = sortedPairs(labels).flat();
  return fingerprintOf('alertmanager-alert', externalUrl, ...(pairs.length > 0 ? pairs : [fingerprint]));
}

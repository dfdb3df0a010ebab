import { z } from 'zod';
import { emptyAlert } from '../../empty-alert.ts';
import {
  fromLabelMap,
  labelMap,
  labelsOfTags,
  linksTo,
  moment,
  notAnObject,
  receivedAlert,
  scalarText,
  tagList,
} from '../../payload.ts';
import { severityOf } from '../../severity.ts';
import { toErrorMessage, toTitle } from '../../text-fields.ts';
import type { AlertKind } from '../../types.ts';
import type { WebhookFormat, WebhookReading } from '../../webhook-format.ts';
import { alertFingerprint } from './identity.ts';

const ID = /^[\w-]{8,120}$/u;

const OpsgenieAlert = z.object({
  alertId: scalarText,
  tinyId: scalarText,
  message: scalarText,
  description: scalarText,
  tags: tagList,
  entity: scalarText,
  source: scalarText,
  createdAt: moment,
  username: scalarText,
  owner: scalarText,
  priority: scalarText,
  note: scalarText,
  details: labelMap,
});
type OpsgenieAlert = z.output<typeof OpsgenieAlert>;
const Payload = z.object({ action: scalarText, alert: OpsgenieAlert });

const KINDS: ReadonlyMap<string, AlertKind> = new Map([
  ['create', 'firing'],
  ['close', 'resolved'],
  ['delete', 'resolved'],
]);

/** Opsgenie's webhook integration: every action on an alert. An alert has the identity of its message in Slack. */
export const opsgenieWebhook: WebhookFormat = { name: 'opsgenie', tool: 'Opsgenie', read };

function read(body: unknown): WebhookReading {
  if (typeof body !== 'object' || body === null) return notAnObject('Opsgenie');
  const parsed = Payload.safeParse(body);
  if (!parsed.success) return { kind: 'refused', reason: 'The body has no `alert`.' };
  const { action, alert: said } = parsed.data;
  const id = said.alertId || (said.tinyId === '' ? '' : `#${said.tinyId}`);
  if (id === '') return { kind: 'refused', reason: 'The alert has no `alertId`.' };

  const title = toTitle(said.tinyId === '' ? said.message : `#${said.tinyId}: ${said.message}`);
  const kind = KINDS.get(action.toLowerCase()) ?? 'not_an_alert';
  const labels = { ...labelsOfTags(said.tags), ...said.details };
  const { fields } = fromLabelMap(labels);
  const page = ID.test(said.alertId) ? `https://app.opsgenie.com/alert/detail/${said.alertId}/details` : null;
  const alert = {
    ...emptyAlert('opsgenie'),
    ...fields,
    kind,
    title: title ?? toTitle(`Alert ${id}`),
    description: said.description || title,
    severity: severityOf(said.priority) ?? fields.severity,
    service: fields.service ?? (said.entity || null),
    triggeredAt: said.createdAt,
    alertUrl: page,
    errorMessage: toErrorMessage(said.description || said.message),
    tags: said.tags.slice(0, 50),
    fingerprint: alertFingerprint(id),
  };
  // The message in Slack names no environment, and where it has no link only the number.
  const others =
    said.tinyId === '' ? [] : [{ fingerprint: alertFingerprint(`#${said.tinyId}`), environment: null }];
  const aliases = [
    ...(alert.environment === null ? [] : [{ fingerprint: alert.fingerprint, environment: null }]),
    ...others.filter(({ fingerprint }) => fingerprint !== alert.fingerprint),
  ];
  return {
    kind: 'alerts',
    alerts: [
      receivedAlert({
        alert,
        note: kind === 'not_an_alert' ? noteOf(action, said) : null,
        labels: {
          ...labels,
          ...stated({ priority: said.priority, entity: said.entity, source: said.source }),
        },
        links: linksTo(['Opsgenie', page]),
        aliases,
      }),
    ],
  };
}

function stated(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''));
}

/** What was done about the alert; an action that is not known is shown as it is called. */
function noteOf(action: string, { username, owner, note, priority }: OpsgenieAlert): string {
  const by = username === '' ? '' : ` by ${username}`;
  const sentences: Readonly<Record<string, string>> = {
    acknowledge: `Acknowledged${by}`,
    unacknowledge: `No longer acknowledged`,
    addnote: `Note${by}: ${note}`,
    assignownership: `Assigned to ${owner || 'somebody'}${by}`,
    takeownership: `Taken over${by}`,
    escalate: 'Escalated',
    snooze: `Snoozed${by}`,
    snoozeended: 'The snooze has ended',
    updatepriority: `Priority set to ${priority}${by}`,
  };
  const key = action.toLowerCase();
  const known = Object.hasOwn(sentences, key) ? sentences[key] : undefined;
  const spaced = action.replace(/([a-z])([A-Z])/gu, '$1 $2').toLowerCase() || 'updated';
  return known ?? `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}${by}`;
}

import { z } from 'zod';
import type { Format, WebhookReading } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import {
  fromLabelMap,
  labelMap,
  labelsOfTags,
  linksTo,
  moment,
  notAnObject,
  receivedAlert,
  scalarText,
  statedLabels,
  tagList,
} from '../payload.ts';
import { formatOf } from '../row.ts';
import { toErrorMessage, toTitle } from '../slack-text.ts';
import { severityOf } from '../state.ts';
import { type AlertKind, emptyAlert } from '../types.ts';

/** Opsgenie's alerts. The layout is of general knowledge; the address and `#n: title` are the vendor's. */
export const opsgenie: Format = {
  ...formatOf({
    name: 'opsgenie',
    tool: 'Opsgenie',
    from: { sender: /^opsgenie\b/iu, page: true },
    page: /^https:\/\/(?:[\w-]{1,63}\.){0,6}opsgenie\.com\/alert\/detail\/(?<id>[\w-]{8,120})/u,
    says: [/^(?:\S+ ){0,2}(?<heading>(?<number>#\d{1,12}): ?.{1,500})/u],
    also: [
      /\[(?<level>P[1-5])\]/u,
      [
        '{status}',
        /\b(?<state>closed|resolved|acknowledged|snoozed|assigned|escalated|created|open(?:ed)?|new)\b/iu,
      ],
      /^(?=.*\balert\b)[^#:]{0,60}?\b(?<state>closed|resolved|acknowledged|snoozed|assigned|escalated|created|opened|new)\b/iu,
    ],
    otherwise: 'firing',
    title: '{heading|card title}',
    isLabelled: true,
    fields: { severity: '{priority|level}' },
    error: '{description|message}',
    tags: '{tags}',
    identity: ['{id|number}'],
  }),
  webhook: { name: 'opsgenie', tool: 'Opsgenie', read: readWebhook },
};

/** An alert's identity: its id; its number (`#4812`) where a message names no id. */
function alertFingerprint(id: string): string {
  return fingerprintOf('opsgenie', id);
}

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
function readWebhook(body: unknown): WebhookReading {
  if (typeof body !== 'object' || body === null) return notAnObject('Opsgenie');
  const parsed = Payload.safeParse(body);
  if (!parsed.success) return { kind: 'refused', reason: 'The body has no `alert`.' };
  const { action, alert: given } = parsed.data;
  const id = given.alertId || (given.tinyId === '' ? '' : `#${given.tinyId}`);
  if (id === '') return { kind: 'refused', reason: 'The alert has no `alertId`.' };

  const title = toTitle(given.tinyId === '' ? given.message : `#${given.tinyId}: ${given.message}`);
  const kind = KINDS.get(action.toLowerCase()) ?? 'not_an_alert';
  const labels = { ...labelsOfTags(given.tags), ...given.details };
  const { fields } = fromLabelMap(labels);
  const page = ID.test(given.alertId)
    ? `https://app.opsgenie.com/alert/detail/${given.alertId}/details`
    : null;
  const alert = {
    ...emptyAlert('opsgenie'),
    ...fields,
    kind,
    title: title ?? toTitle(`Alert ${id}`),
    description: given.description || title,
    severity: severityOf(given.priority) ?? fields.severity,
    service: fields.service ?? (given.entity || null),
    triggeredAt: given.createdAt,
    alertUrl: page,
    errorMessage: toErrorMessage(given.description || given.message),
    tags: given.tags.slice(0, 50),
    fingerprint: alertFingerprint(id),
  };
  // The message in Slack names no environment, and where it has no link only the number.
  const others =
    given.tinyId === '' ? [] : [{ fingerprint: alertFingerprint(`#${given.tinyId}`), environment: null }];
  const aliases = [
    ...(alert.environment === null ? [] : [{ fingerprint: alert.fingerprint, environment: null }]),
    ...others.filter(({ fingerprint }) => fingerprint !== alert.fingerprint),
  ];
  return {
    kind: 'alerts',
    alerts: [
      receivedAlert({
        alert,
        note: kind === 'not_an_alert' ? noteOf(action, given) : null,
        labels: {
          ...labels,
          ...statedLabels({ priority: given.priority, entity: given.entity, source: given.source }),
        },
        links: linksTo(['Opsgenie', page]),
        aliases,
      }),
    ],
  };
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

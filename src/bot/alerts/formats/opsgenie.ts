import { z } from 'zod';
import { fromLabels, statedValue } from '../facts.ts';
import type { Format, WebhookReading } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { alertPageUrl, attachmentDetails, isSentBy, type MessageContent } from '../message.ts';
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
} from '../payload.ts';
import { linksOf, plainText, toDescription, toErrorMessage, toTitle, withoutMarkup } from '../slack-text.ts';
import { firstIncidentKind, severityOf } from '../state.ts';
import { type Alert, type AlertKind, emptyAlert } from '../types.ts';

const PAGE = /^https:\/\/(?:[\w-]{1,63}\.){0,6}opsgenie\.com\/alert\/detail\/([\w-]{8,120})/u;
const SENDER = /^opsgenie\b/iu;
const STATE_WORD = /\b(closed|resolved|acknowledged|snoozed|assigned|escalated|created|opened|new)\b/iu;
const TITLE = /#(\d{1,12}): ?([^\n]{1,500})/u;

/** Opsgenie's alerts. The layout is of general knowledge; the address and `#n: title` are the vendor's. */
export const opsgenie: Format = {
  name: 'opsgenie',
  tool: 'Opsgenie',
  extract,
  webhook: { name: 'opsgenie', tool: 'Opsgenie', read: readWebhook },
};

/** An alert: `#4812: title`, its priority, its status, its tags. */
function extract(content: MessageContent): Alert | null {
  const { attachments, message, facts, body } = content;
  const alertUrl = alertPageUrl(content, PAGE, SENDER);
  if (content.person || (alertUrl === null && !isSentBy(content, SENDER))) return null;

  const heads = [
    ...attachments.flatMap(({ title, pretext }) => [title, pretext]),
    message.text,
    body.split('\n', 1)[0] ?? '',
  ]
    .map((head) => withoutMarkup(plainText(head)))
    .filter((head) => head !== '');
  const labels = linksOf(body).filter(({ url }) => PAGE.test(url));
  const titled = [...heads, ...labels.map(({ label }) => label ?? '')].map((head) => TITLE.exec(head));
  const [whole, number] = titled.find((match) => match !== null) ?? [];
  if (whole === undefined && alertUrl === null) return null;

  const announced = [message.text, ...attachments.flatMap(({ pretext, fallback }) => [pretext, fallback])];
  const stated = statedValue(facts, 'status', 'state');
  const title = toTitle(whole ?? heads[0] ?? '');
  const { fields } = fromLabels(facts);
  const id = PAGE.exec(alertUrl ?? '')?.[1];
  return {
    ...emptyAlert('opsgenie'),
    ...fields,
    kind: firstIncidentKind([stated, stateBefore(stated ?? ''), ...announced.map(stateBefore)]) ?? 'firing',
    title,
    description: toDescription(attachments.map(attachmentDetails).join('\n') || body, title),
    severity: fields.severity ?? severityOf(/\[(P[1-5])\]/u.exec(heads.join(' '))?.[1] ?? ''),
    alertUrl,
    errorMessage: toErrorMessage(statedValue(facts, 'description', 'message')),
    tags: (statedValue(facts, 'tags') ?? '')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '')
      .slice(0, 50),
    fingerprint: alertFingerprint(id ?? `#${number ?? ''}`),
  };
}

/** The state that words before the alert's title tell: `Alert closed`, `Dana acknowledged alert`. */
function stateBefore(words: string): string | null {
  return STATE_WORD.exec(withoutMarkup(plainText(words)).split('#', 1)[0] ?? '')?.[1] ?? null;
}

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
          ...stated({ priority: given.priority, entity: given.entity, source: given.source }),
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

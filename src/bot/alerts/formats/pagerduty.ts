import { z } from 'zod';
import { atOnce } from '../../shared/turns.ts';
import type { Format, WebhookReading } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import {
  itemsOf,
  linksTo,
  moment,
  notAnObject,
  receivedAlert,
  scalarText,
  statedLabels,
  webUrl,
} from '../payload.ts';
import { formatOf } from '../row.ts';
import { toErrorMessage, toTitle } from '../slack-text.ts';
import { highestSeverity, severityOf } from '../state.ts';
import { type AlertKind, emptyAlert } from '../types.ts';

/** PagerDuty's incidents, and the lines about them in their threads. */
export const pagerduty: Format = {
  ...formatOf({
    name: 'pagerduty',
    tool: 'PagerDuty',
    from: {
      app: 'A1FKYAUUX',
      sender: /^pagerduty\b/iu,
      line: /^\W*(?:Triggered|Acknowledged|Resolved)\W*<https:\/\/[\w.-]+\.pagerduty\.com\/incidents\//iu,
    },
    page: /^https:\/\/[\w.-]+\.pagerduty\.com\/incidents\/(?<id>[A-Z\d]{6,40})/u,
    says: [
      /^\W*Status changed (?:from .{1,60} )?to:? (?<state>\w+)/iu,
      /^\W*(?<state>(?:re-?)?triggered|re-?opened|resolved|(?:un-?)?acknowledged|(?:re)?assigned|escalated|delegated|priority|urgency|note|status|snoozed|merged|responder|added|removed)\b/iu,
    ],
    also: [['{page title}', /^(?:\[#?\w{1,20}\] )?[^:]{1,100}: (?<problem>.+)$/u]],
    state: '{state}',
    states: {
      triggered: 'firing',
      retriggered: 'firing',
      reopened: 'firing',
      resolved: 'resolved',
      '': 'not_an_alert',
    },
    otherwise: 'firing',
    title: '{page title}',
    isLabelled: true,
    error: '{problem}',
    identity: ['{id}'],
  }),
  webhook: { name: 'pagerduty', tool: 'PagerDuty', read: readWebhook },
};

/** `[#48213] checkout-api: 5xx ratio above 5%`: what is wrong stands behind the colon. */
function problemOf(title: string): string | null {
  return /^(?:\[#?\w{1,20}\] )?[^:]{1,100}: (.+)$/u.exec(title)?.[1] ?? null;
}

const Reference = z.object({ id: scalarText, summary: scalarText, html_url: webUrl }).nullable().catch(null);
const References = z
  .unknown()
  .transform((list) => atOnce(itemsOf(list, Reference))?.items.slice(0, 20) ?? [])
  .catch([]);

const Data = z.object({
  id: scalarText,
  type: scalarText,
  html_url: webUrl,
  number: scalarText,
  title: scalarText,
  created_at: moment,
  service: Reference,
  assignees: References,
  teams: References,
  priority: Reference,
  urgency: scalarText,
  /** In what is said about an incident: a note, an update, a responder. */
  incident: Reference,
  content: scalarText,
  message: scalarText,
  user: Reference,
});
type Data = z.output<typeof Data>;

const Payload = z.object({
  event: z.object({
    event_type: scalarText,
    occurred_at: moment,
    agent: Reference,
    data: Data,
  }),
});
type Event = z.output<typeof Payload>['event'];

const KINDS: ReadonlyMap<string, AlertKind> = new Map([
  ['triggered', 'firing'],
  ['reopened', 'firing'],
  ['resolved', 'resolved'],
]);

/** PagerDuty's webhooks, version 3, about incidents. An incident has the identity of its message in Slack. */
function readWebhook(body: unknown): WebhookReading {
  if (typeof body !== 'object' || body === null) return notAnObject('PagerDuty');
  const parsed = Payload.safeParse(body);
  if (!parsed.success)
    return { kind: 'refused', reason: 'The body has no `event` with `data`, as webhooks of version 3 have.' };
  const { event } = parsed.data;
  const [resource = '', ...words] = event.event_type.split('.');
  const what = words.join('.');
  const incident = event.data.incident ?? event.data;
  if (resource !== 'incident' || incident.id === '')
    return { kind: 'nothing', reason: 'The event is about no incident.' };

  const { data } = event;
  const kind = KINDS.get(what) ?? 'not_an_alert';
  const name = data.title || (data.incident?.summary ?? '');
  const numbered = data.number === '' ? name : `[#${data.number}] ${name}`;
  const title = toTitle(numbered || `Incident ${incident.id}`) ?? 'Incident';
  const labels = labelsOf(data);
  const url = incident.html_url;
  const alert = {
    ...emptyAlert('pagerduty'),
    kind,
    title,
    description: title,
    severity: highestSeverity([severityOf(data.priority?.summary ?? ''), severityOf(data.urgency)]),
    service: data.service?.summary || null,
    triggeredAt: data.created_at ?? event.occurred_at,
    alertUrl: url,
    errorMessage: toErrorMessage(problemOf(title)),
    fingerprint: fingerprintOf(
      'pagerduty',
      /\/incidents\/([A-Z\d]{6,40})/u.exec(url ?? '')?.[1] ?? incident.id,
    ),
  };
  const note = kind === 'not_an_alert' ? noteOf(what, event) : null;
  return {
    kind: 'alerts',
    alerts: [receivedAlert({ alert, note, labels, links: linksTo(['Service', data.service?.html_url]) })],
  };
}

function labelsOf({ service, priority, urgency, teams }: Data): Record<string, string> {
  return statedLabels({
    service: service?.summary ?? '',
    priority: priority?.summary ?? '',
    urgency,
    team: namesOf(teams),
  });
}

function namesOf(references: Data['assignees']): string {
  return references
    .flatMap((one) => one?.summary || [])
    .slice(0, 5)
    .join(', ');
}

/** What happened to the incident. */
function noteOf(what: string, { agent, data }: Event): string {
  const by = agent?.summary ? ` by ${agent.summary}` : '';
  const people = namesOf(data.assignees);
  const to = people === '' ? '' : ` to ${people}`;
  const sentences: Readonly<Record<string, string>> = {
    acknowledged: `Acknowledged${by}`,
    unacknowledged: `No longer acknowledged`,
    escalated: `Escalated${by}${to}`,
    reassigned: `Reassigned${by}${to}`,
    delegated: `Delegated${by}${to}`,
    priority_updated: `Priority set to ${data.priority?.summary || 'none'}${by}`,
    annotated: `Note${by}: ${data.content}`,
    status_update_published: `Status update${by}: ${data.message || data.content}`,
    'responder.added': `Responder added: ${data.user?.summary || 'somebody'}`,
    'responder.replied': `Responder replied: ${data.user?.summary || 'somebody'}`,
  };
  const known = Object.hasOwn(sentences, what) ? sentences[what] : undefined;
  const sentence = known ?? `${what.replace(/[._]/gu, ' ') || 'updated'}${by}`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

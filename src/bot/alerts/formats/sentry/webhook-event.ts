import { z } from 'zod';
import { emptyAlert } from '../../empty-alert.ts';
import { fromLabelMap, labelMap, linksTo, moment, receivedAlert, scalarText, webUrl } from '../../payload.ts';
import { severityWord } from '../../severity.ts';
import { toErrorMessage, toTitle } from '../../text-fields.ts';
import type { WebhookReading } from '../../webhook-format.ts';
import { issueFingerprint, issueNumberIn, stableUrl } from './issue-links.ts';

const Tag = z.tuple([scalarText, scalarText]);

const Event = z.object({
  event_id: scalarText,
  issue_id: scalarText,
  issue_url: scalarText,
  url: scalarText,
  web_url: webUrl,
  title: scalarText,
  culprit: scalarText,
  level: scalarText,
  environment: scalarText,
  release: scalarText,
  datetime: moment,
  project_slug: scalarText,
  project_name: scalarText,
  metadata: labelMap,
  tags: z.array(Tag.nullable().catch(null)).catch([]),
});
type Event = z.output<typeof Event>;

/** An issue alert names an event as `event`, and Sentry's webhook about each error as `error`. */
const Data = z.object({ event: Event.optional(), error: Event.optional(), triggered_rule: scalarText });

/** The alert in an event that a rule (or every error) sends; `null` if the webhook is about no event. */
export function readEvent(data: unknown): WebhookReading | null {
  const parsed = Data.safeParse(data);
  const event = parsed.data?.event ?? parsed.data?.error;
  if (parsed.data === undefined || event === undefined) return null;
  const number = issueOf(event);
  if (number === null) return { kind: 'refused', reason: 'The event names no issue (`issue_id`).' };

  const rule = parsed.data.triggered_rule;
  const tags: Record<string, string> = Object.fromEntries(
    event.tags.flatMap((tag) => (tag === null || tag[0] === '__proto__' || tag[0] === '' ? [] : [tag])),
  );
  const { fields } = fromLabelMap(tags);
  const { type = '', value = '' } = event.metadata;
  const title = toTitle(event.title || [type, value].filter(Boolean).join(': '));
  const project = event.project_slug || event.project_name || projectIn(event.url);
  const page = event.web_url;
  const alert = {
    ...emptyAlert('sentry'),
    ...fields,
    kind: 'firing' as const,
    title: title ?? toTitle(`Issue ${number}`),
    description: [event.culprit, value].filter(Boolean).join('\n\n') || title,
    severity: severityWord(event.level) ?? fields.severity,
    environment: event.environment || fields.environment,
    service: project || fields.service,
    version: event.release || fields.version,
    triggeredAt: event.datetime,
    alertUrl: page === null ? null : stableUrl(page),
    errorType: toTitle(type),
    errorMessage: toErrorMessage(value),
    tags: Object.entries(tags)
      .filter(([name]) => name !== 'release')
      .slice(0, 50)
      .map(([name, said]) => `${name}:${said}`),
    fingerprint: issueFingerprint(number),
  };
  const labels = {
    ...tags,
    ...(project === '' ? {} : { project }),
    ...(rule === '' ? {} : { rule }),
  };
  // What becomes of the issue names no environment.
  const aliases = alert.environment === null ? [] : [{ fingerprint: alert.fingerprint, environment: null }];
  const links = linksTo(['Event', page]);
  return { kind: 'alerts', alerts: [receivedAlert({ alert, labels, links, aliases })] };
}

function issueOf({ issue_id, issue_url, web_url }: Event): string | null {
  return issue_id || issueNumberIn(issue_url) || issueNumberIn(web_url ?? '') || null;
}

/** The project in an event's address at the API: `/api/0/projects/acme/checkout-api/events/…`. */
function projectIn(url: string): string {
  return /\/projects\/[^/]{1,100}\/([^/]{1,100})\//u.exec(url)?.[1] ?? '';
}

import { z } from 'zod';
import { emptyAlert } from '../../empty-alert.ts';
import { labelMap, moment, receivedAlert, scalarText, webUrl } from '../../payload.ts';
import { severityWord } from '../../severity.ts';
import { toErrorMessage, toTitle } from '../../text-fields.ts';
import type { AlertKind } from '../../types.ts';
import type { WebhookReading } from '../../webhook-format.ts';
import { issueFingerprint, stableUrl } from './issue-links.ts';

const Issue = z.object({
  id: scalarText,
  title: scalarText,
  shortId: scalarText,
  culprit: scalarText,
  level: scalarText,
  status: scalarText,
  substatus: scalarText,
  firstSeen: moment,
  permalink: webUrl,
  web_url: webUrl,
  project: z.object({ slug: scalarText, name: scalarText }).catch({ slug: '', name: '' }),
  metadata: labelMap,
});
type Issue = z.output<typeof Issue>;

const Data = z.object({ issue: Issue });
const Actor = z.object({ name: scalarText }).catch({ name: '' });

const KINDS: ReadonlyMap<string, AlertKind> = new Map([
  ['created', 'firing'],
  ['unresolved', 'firing'],
  ['triggered', 'firing'],
  ['resolved', 'resolved'],
]);

/** What became of an issue; `null` if the webhook is about none. */
export function readIssue(action: string, data: unknown, by: unknown): WebhookReading | null {
  const parsed = Data.safeParse(data);
  if (!parsed.success || parsed.data.issue.id === '') return null;
  const { issue } = parsed.data;
  const kind = KINDS.get(action) ?? 'not_an_alert';
  const { type = '', value = '' } = issue.metadata;
  const title = toTitle(issue.title || [type, value].filter(Boolean).join(': ') || issue.shortId);
  const url = issue.permalink ?? issue.web_url;
  const alert = {
    ...emptyAlert('sentry'),
    kind,
    title: title ?? toTitle(`Issue ${issue.id}`),
    description: [issue.culprit, value].filter(Boolean).join('\n\n') || title,
    severity: severityWord(issue.level),
    service: issue.project.slug || issue.project.name || null,
    triggeredAt: issue.firstSeen,
    alertUrl: url === null ? null : stableUrl(url),
    errorType: toTitle(type),
    errorMessage: toErrorMessage(value),
    fingerprint: issueFingerprint(issue.id),
  };
  const note = kind === 'not_an_alert' ? noteOf(action, Actor.parse(by).name, issue) : null;
  return { kind: 'alerts', alerts: [receivedAlert({ alert, note, labels: labelsOf(issue) })] };
}

function labelsOf({ level, project, shortId }: Issue): Record<string, string> {
  const said = { project: project.slug, level, short_id: shortId };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== ''));
}

/** `Archived by Dana`, `Assigned by Dana`; an action that is not known is shown as it is called. */
function noteOf(action: string, who: string, { substatus }: Issue): string {
  const word = (action === 'ignored' ? 'archived' : action.replace(/_/gu, ' ')) || 'updated';
  const by = who === '' ? '' : ` by ${who}`;
  const until = substatus === 'archived_until_escalating' ? ' until it escalates' : '';
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}${by}${until}`;
}

import { emptyAlert } from '../../empty-alert.ts';
import type { Format } from '../../format.ts';
import { firstIncidentKind } from '../../incident-state.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import { attachmentDetails, type MessageContent } from '../../message-content.ts';
import { severityOf } from '../../severity.ts';
import { linksOf, plainText, withoutMarkup } from '../../slack-text.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import type { Alert } from '../../types.ts';
import { alertPageUrl, isSentBy } from '../../urls.ts';
import { alertFingerprint } from './identity.ts';

const PAGE = /^https:\/\/(?:[\w-]{1,63}\.){0,6}opsgenie\.com\/alert\/detail\/([\w-]{8,120})/u;
const SENDER = /^opsgenie\b/iu;
const SAID = /\b(closed|resolved|acknowledged|snoozed|assigned|escalated|created|opened|new)\b/iu;
const TITLE = /#(\d{1,12}): ?([^\n]{1,500})/u;

/** Opsgenie's alerts. The layout is of general knowledge; the address and `#n: title` are the vendor's. */
export const opsgenie: Format = { name: 'opsgenie', tool: 'Opsgenie', extract };

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
    kind: firstIncidentKind([stated, said(stated ?? ''), ...announced.map(said)]) ?? 'firing',
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
function said(words: string): string | null {
  return SAID.exec(withoutMarkup(plainText(words)).split('#', 1)[0] ?? '')?.[1] ?? null;
}

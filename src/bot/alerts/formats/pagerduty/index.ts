import { emptyAlert } from '../../empty-alert.ts';
import type { Format } from '../../format.ts';
import { incidentKind } from '../../incident-state.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import { blocksText, type MessageContent } from '../../message-content.ts';
import { type Link, linksOf, plainText, withoutMarkup } from '../../slack-text.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import type { Alert, AlertKind } from '../../types.ts';
import { isSentBy } from '../../urls.ts';
import { incidentFingerprint, problemOf } from './incident.ts';

const APP = 'A1FKYAUUX';
const INCIDENT = /^https:\/\/[\w.-]+\.pagerduty\.com\/incidents\/([A-Z\d]{6,40})/u;
const CHANGED = /^Status changed (?:from .{1,60} )?to:? (\w+)/iu;

/** PagerDuty's incidents, and the lines about them in their threads. */
export const pagerduty: Format = { name: 'pagerduty', tool: 'PagerDuty', extract };

/** An incident: `*Triggered* <…/incidents/ID|[#n] title>`, in the text or only in blocks. */
function extract(content: MessageContent): Alert | null {
  const { message, attachments, body, facts } = content;
  const lines = [
    message.text,
    blocksText(message.blocks),
    ...attachments.flatMap((part) => [part.pretext, part.title]),
  ]
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.trim() !== '');
  const links: Link[] = [
    ...attachments.map((part) => ({ url: part.title_link, label: plainText(part.title) })),
    ...linksOf(`${message.text}\n${body}`),
  ];
  const link = links.find(({ url }) => INCIDENT.test(url));
  const id = INCIDENT.exec(link?.url ?? '')?.[1];
  if (content.person || link === undefined || id === undefined || !isPagerDutys(content, lines)) return null;

  const title = toTitle(withoutMarkup(link.label ?? ''));
  const { fields } = fromLabels(facts);
  return {
    ...emptyAlert('pagerduty'),
    ...fields,
    kind: kindOf(lines, content.reply),
    title,
    description: toDescription(belowTitle(blocksText(message.blocks) || body), title),
    alertUrl: link.url,
    errorMessage: toErrorMessage(problemOf(title ?? '')),
    fingerprint: incidentFingerprint(id),
  };
}

/** By its app; else by a first line that is a state and the incident's link. Others link to incidents as well. */
function isPagerDutys(content: MessageContent, lines: readonly string[]): boolean {
  const { message, facts } = content;
  if (message.app_id === APP || message.bot_profile?.app_id === APP) return true;
  if (isSentBy(content, /^pagerduty\b/iu)) return true;
  const first = lines[0] ?? '';
  const before = withoutMarkup(first.split('<http', 1)[0] ?? '');
  return (
    /^(?:Triggered|Acknowledged|Resolved)$/iu.test(before) &&
    linksOf(first).some(({ url }) => INCIDENT.test(url)) &&
    statedValue(facts, 'urgency') !== null
  );
}

/** The first line that begins with a state. A reply without one is a remark, a card without one is new. */
function kindOf(lines: readonly string[], reply: boolean): AlertKind {
  for (const line of lines) {
    const words = withoutMarkup(plainText(line));
    const changed = CHANGED.exec(words)?.[1];
    if (changed !== undefined) return incidentKind(changed) === 'resolved' ? 'resolved' : 'not_an_alert';
    const kind = incidentKind(words);
    if (kind !== null) return kind;
  }
  return reply ? 'not_an_alert' : 'firing';
}

/** All but the lines that link to the incident, which are its title and its state. */
function belowTitle(text: string): string {
  return text
    .split('\n')
    .filter((line) => !linksOf(line).some(({ url }) => INCIDENT.test(url)))
    .join('\n');
}

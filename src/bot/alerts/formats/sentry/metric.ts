import { emptyAlert } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { attachmentDetails, type MessageContent } from '../../message-content.ts';
import { severityOf } from '../../severity.ts';
import { type Link, linksOf, plainText, withoutMarkup } from '../../slack-text.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import { timestampIn } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';
import { queryParameter } from '../../urls.ts';
import { isFromSentry, stableUrl } from './issue-links.ts';

const TITLE = /^(Critical|Warning|Resolved): ?(.+)$/isu;
const RULE = /\/alerts\/rules\/details\/(\d+)/u;

/** A metric alert's identity: its rule, and the number of its incident. */
export function metricFingerprint(rule: string, incident: string): string {
  return fingerprintOf('sentry', 'metric', rule, incident);
}

/** The number of the rule whose page a URL is. */
export function ruleIn(url: string): string | null {
  return RULE.exec(url)?.[1] ?? null;
}

/** A metric alert: its title is a link in the text, `Critical: Name`; its numbers and its start are below. */
export function extractMetric(content: MessageContent): Alert | null {
  const { message, attachments, body } = content;
  const links = [...linksOf(message.text), ...attachments.map(asLink), ...linksOf(body)];
  const link = links.find((one) => isMetric(one, isFromSentry(content)));
  const [, word, name] = TITLE.exec(withoutMarkup(link?.label ?? '')) ?? [];
  if (link === undefined || word === undefined || name === undefined) return null;

  const title = toTitle(name);
  const below = message.text.split('\n').filter((line) => !linksOf(line).some(({ url }) => url === link.url));
  const lines =
    attachments.length > 0 ? attachments.flatMap((part) => attachmentDetails(part).split('\n')) : below;
  const numbers = lines.find((line) => isWords(line));
  const rule = ruleIn(link.url) ?? stableUrl(link.url).split('?', 1)[0] ?? '';
  return {
    ...emptyAlert('sentry'),
    kind: word.toLowerCase() === 'resolved' ? 'resolved' : 'firing',
    title,
    description: toDescription(lines.join('\n'), title),
    severity: severityOf(word),
    triggeredAt: timestampIn(plainText(lines.join('\n'))),
    alertUrl: stableUrl(link.url),
    errorMessage: toErrorMessage(numbers === undefined ? null : plainText(numbers)),
    fingerprint: metricFingerprint(rule, queryParameter(link.url, 'alert') ?? ''),
  };
}

/** An issue may be called `Warning: …` as well: only a rule's address, or an incident's of Sentry's own, is a metric's. */
function isMetric({ url, label }: Link, own: boolean): boolean {
  return (
    TITLE.test(withoutMarkup(label ?? '')) &&
    (RULE.test(url) || (own && (queryParameter(url, 'alert') ?? '') !== ''))
  );
}

function asLink({ title, title_link }: { title: string; title_link: string }): Link {
  return { url: title_link, label: plainText(title) };
}

function isWords(line: string): boolean {
  return (
    !line.includes('<!date') &&
    !/^Started\b/u.test(line) &&
    withoutMarkup(line.replace(/<https?:[^>]*>/gu, '')) !== ''
  );
}

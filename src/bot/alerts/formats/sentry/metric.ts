import { parameterOf } from '../../urls.ts';
import { blank } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { detailsOf, type Reading } from '../../message-content.ts';
import { severityOf } from '../../severity.ts';
import { bare, type Link, linksOf, plain } from '../../slack-text.ts';
import { timeIn } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';
import { isSentrys, pageOf } from './issue-links.ts';

const TITLE = /^(Critical|Warning|Resolved): ?(.+)$/isu;
const RULE = /\/alerts\/rules\/details\/(\d+)/u;

/** A metric alert: its title is a link in the text, `Critical: Name`; its numbers and its start are below. */
export function extractMetric(reading: Reading): Alert | null {
  const { message, attachments, body } = reading;
  const links = [...linksOf(message.text), ...attachments.map(asLink), ...linksOf(body)];
  const link = links.find((one) => isMetric(one, isSentrys(reading)));
  const [, word, name] = TITLE.exec(bare(link?.label ?? '')) ?? [];
  if (link === undefined || word === undefined || name === undefined) return null;

  const title = titleOf(name);
  const below = message.text.split('\n').filter((line) => !linksOf(line).some(({ url }) => url === link.url));
  const lines = attachments.length > 0 ? attachments.flatMap((part) => detailsOf(part).split('\n')) : below;
  const numbers = lines.find((line) => isWords(line));
  const rule = RULE.exec(link.url)?.[1] ?? pageOf(link.url).split('?', 1)[0] ?? '';
  return {
    ...blank('sentry'),
    kind: word.toLowerCase() === 'resolved' ? 'resolved' : 'firing',
    title,
    description: descriptionOf(lines.join('\n'), title),
    severity: severityOf(word),
    triggeredAt: timeIn(plain(lines.join('\n'))),
    alertUrl: pageOf(link.url),
    errorMessage: messageOf(numbers === undefined ? null : plain(numbers)),
    fingerprint: fingerprintOf('sentry', 'metric', rule, parameterOf(link.url, 'alert') ?? ''),
  };
}

/** An issue may be called `Warning: …` as well: only a rule's address, or an incident's of Sentry's own, is a metric's. */
function isMetric({ url, label }: Link, own: boolean): boolean {
  return (
    TITLE.test(bare(label ?? '')) && (RULE.test(url) || (own && (parameterOf(url, 'alert') ?? '') !== ''))
  );
}

function asLink({ title, title_link }: { title: string; title_link: string }): Link {
  return { url: title_link, label: plain(title) };
}

function isWords(line: string): boolean {
  return (
    !line.includes('<!date') && !/^Started\b/u.test(line) && bare(line.replace(/<https?:[^>]*>/gu, '')) !== ''
  );
}

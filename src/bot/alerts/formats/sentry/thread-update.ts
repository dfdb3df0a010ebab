import { emptyAlert } from '../../empty-alert.ts';
import { statedValue } from '../../labels.ts';
import type { MessageContent } from '../../message-content.ts';
import { linksOf, plainText } from '../../slack-text.ts';
import { toDescription, toTitle } from '../../text-fields.ts';
import type { Alert, AlertKind } from '../../types.ts';
import { isFromSentry, issueFingerprint, issueNumberIn, stableUrl } from './issue-links.ts';

const SHORT_ID = /^[A-Z\d][A-Z\d_-]{0,80}-[A-Z\d]{1,12}$/u;

/** A status change of an issue, posted in its thread: `Dana marked <…|SHOP-4F> as resolved`. */
export function extractThreadUpdate(content: MessageContent): Alert | null {
  if (!isFromSentry(content)) return null;
  const line = [...content.message.text.split('\n'), ...content.body.split('\n')].find((words) =>
    words.trim(),
  );
  const link = linksOf(line ?? '').find(({ url, label }) => issueNumberIn(url) && SHORT_ID.test(label ?? ''));
  const number = issueNumberIn(link?.url ?? '');
  if (line === undefined || link === undefined || number === null) return null;

  const title = toTitle(link.label ?? '');
  return {
    ...emptyAlert('sentry'),
    kind: kindOf(plainText(line)),
    title,
    description: toDescription(line, title),
    service: statedValue(content.facts, 'project'),
    alertUrl: stableUrl(link.url),
    fingerprint: issueFingerprint(number),
  };
}

function kindOf(sentence: string): AlertKind {
  if (/\b(?:as (?:a )?regress\w+|as unresolved|escalating)\b/iu.test(sentence)) return 'firing';
  return /\bresolved\b/iu.test(sentence) ? 'resolved' : 'not_an_alert';
}

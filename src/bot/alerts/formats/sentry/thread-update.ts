import { blank } from '../../empty-alert.ts';
import { statedValue } from '../../labels.ts';
import type { Reading } from '../../message-content.ts';
import { linksOf, plain } from '../../slack-text.ts';
import type { Alert, AlertKind } from '../../types.ts';
import { descriptionOf, titleOf } from '../../text-fields.ts';
import { isSentrys, issueOf, issuePrint, pageOf } from './issue-links.ts';

const SHORT_ID = /^[A-Z\d][A-Z\d_-]{0,80}-[A-Z\d]{1,12}$/u;

/** A sentence about an issue, in its thread: `Dana marked <…|SHOP-4F> as resolved`. Only the end of one has a state. */
export function extractNote(reading: Reading): Alert | null {
  if (!isSentrys(reading)) return null;
  const line = [...reading.message.text.split('\n'), ...reading.body.split('\n')].find((words) =>
    words.trim(),
  );
  const link = linksOf(line ?? '').find(({ url, label }) => issueOf(url) && SHORT_ID.test(label ?? ''));
  const number = issueOf(link?.url ?? '');
  if (line === undefined || link === undefined || number === null) return null;

  const title = titleOf(link.label ?? '');
  return {
    ...blank('sentry'),
    kind: kindOf(plain(line)),
    title,
    description: descriptionOf(line, title),
    service: statedValue(reading.facts, 'project'),
    alertUrl: pageOf(link.url),
    fingerprint: issuePrint(number),
  };
}

function kindOf(sentence: string): AlertKind {
  if (/\b(?:as (?:a )?regress\w+|as unresolved|escalating)\b/iu.test(sentence)) return 'firing';
  return /\bresolved\b/iu.test(sentence) ? 'resolved' : 'not_an_alert';
}

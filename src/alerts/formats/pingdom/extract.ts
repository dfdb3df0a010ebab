import { blank } from '../../blank.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { attachmentText, type Reading } from '../../reading.ts';
import { plain } from '../../slack-text.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../words.ts';

const TITLE = /^\s*(.{1,500}) is (DOWN|UP)\b/su;
const PAGE = /^https:\/\/my\.pingdom\.com\//u;

/** `Checkout (shop.example.io) is DOWN`. */
export function extract({ person, names, attachments }: Reading): Alert | null {
  if (person) return null;
  const own = names.some((name) => /^pingdom\b/iu.test(name));
  const part = attachments.find(
    (one) => (own || PAGE.test(one.title_link)) && TITLE.test(plain(one.title || one.fallback)),
  );
  const heading = plain(part?.title || part?.fallback || '');
  const [, name, state] = TITLE.exec(heading) ?? [];
  if (part === undefined || name === undefined) return null;

  const title = titleOf(heading);
  const check = /#check=(\d+)/u.exec(part.title_link)?.[1];
  return {
    ...blank('pingdom'),
    kind: state === 'DOWN' ? 'firing' : 'resolved',
    title,
    description: descriptionOf(attachmentText({ ...part, title: '' }), title),
    alertUrl: part.title_link || null,
    host: / \(([\w.:-]{1,253})\)$/u.exec(name)?.[1] ?? null,
    errorMessage: messageOf(plain(part.text)),
    fingerprint: fingerprintOf('pingdom', check ?? name.trim()),
  };
}

import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { attachmentText, type MessageContent } from '../message.ts';
import { linksOf, plainText, quotableText, toDescription, toErrorMessage, toTitle } from '../slack-text.ts';
import { type Alert, emptyAlert } from '../types.ts';

const TITLE = /^\s*(.{1,500}) is (DOWN|UP)\b/su;
const PAGE = /^https:\/\/my\.pingdom\.com\//u;

/** Pingdom. No message of its own has been seen: known by its name and its pages only. */
export const pingdom: Format = { name: 'pingdom', tool: 'Pingdom', extract };

/** `Checkout (shop.example.io) is DOWN`, as a card's title or alone. */
function extract({ person, names, attachments, message }: MessageContent): Alert | null {
  if (person) return null;
  const own = names.some((name) => /^pingdom\b/iu.test(name));
  const part = attachments.find(
    (one) => (own || PAGE.test(one.title_link)) && TITLE.test(plainText(one.title || one.fallback)),
  );
  const [line = '', ...below] = quotableText(part === undefined && own ? message.text : '').split('\n');
  const heading = plainText(part?.title || part?.fallback || line);
  const [, name, state] = TITLE.exec(heading) ?? [];
  if (name === undefined) return null;

  const title = toTitle(heading);
  const url = part?.title_link || linksOf(message.text).find((one) => PAGE.test(one.url))?.url;
  const check = /#check=(\d+)/u.exec(url ?? '')?.[1];
  return {
    ...emptyAlert('pingdom'),
    kind: state === 'DOWN' ? 'firing' : 'resolved',
    title,
    description: toDescription(part ? attachmentText({ ...part, title: '' }) : below.join('\n'), title),
    alertUrl: url ?? null,
    host: / \(([\w.:-]{1,253})\)$/u.exec(name)?.[1] ?? null,
    errorMessage: toErrorMessage(part ? plainText(part.text) : below.join('\n')),
    fingerprint: fingerprintOf('pingdom', check ?? name.trim()),
  };
}

import { addressesOf } from '../../addresses.ts';
import { blank } from '../../blank.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { firstKind } from '../../incident.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import type { Reading } from '../../reading.ts';
import { severityOf } from '../../severity.ts';
import { bare, linksOf, plain } from '../../slack-text.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../words.ts';

const PAGE = /^https:\/\/(?:[\w-]+\.)*opsgenie\.com\/alert\/detail\/([\w-]{8,120})/u;
const TITLE = /#(\d{1,12}): ?([^\n]{1,500})/u;

/** An alert: `#4812: title`, its priority, its status, its tags. */
export function extract(reading: Reading): Alert | null {
  const { attachments, message, facts, body, names } = reading;
  const alertUrl = addressesOf(reading).find((url) => PAGE.test(url)) ?? null;
  const heads = [
    ...attachments.flatMap(({ title, pretext }) => [title, pretext]),
    message.text,
    body.split('\n', 1)[0] ?? '',
  ]
    .map((head) => bare(plain(head)))
    .filter((head) => head !== '');
  const labels = linksOf(body).filter(({ url }) => PAGE.test(url));
  const titled = [...heads, ...labels.map(({ label }) => label ?? '')].map((head) => TITLE.exec(head));
  const [whole, number] = titled.find((match) => match !== null) ?? [];
  const named = names.some((name) => /^opsgenie\b/iu.test(name));
  if (reading.person || (!named && alertUrl === null) || (whole === undefined && alertUrl === null))
    return null;

  const fallbacks = attachments.map(({ fallback }) => fallback);
  const verbs = heads.map((head) => /\balert (?:is |has been )?(\w+)/iu.exec(head)?.[1] ?? null);
  const stated = statedValue(facts, 'status', 'state');
  const title = titleOf(whole ?? heads[0] ?? '');
  const { fields } = fromLabels(facts);
  const id = PAGE.exec(alertUrl ?? '')?.[1];
  return {
    ...blank('opsgenie'),
    ...fields,
    kind:
      firstKind([stated, lastWord(stated), ...heads, ...verbs, ...fallbacks, ...fallbacks.map(lastWord)]) ??
      'firing',
    title,
    description: descriptionOf(statedValue(facts, 'description') ?? body, title),
    severity: fields.severity ?? severityOf(/\[(P[1-5])\]/u.exec(heads.join(' '))?.[1] ?? ''),
    alertUrl,
    errorMessage: messageOf(statedValue(facts, 'description', 'message')),
    tags: (statedValue(facts, 'tags') ?? '')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '')
      .slice(0, 50),
    fingerprint: fingerprintOf('opsgenie', id ?? `#${number ?? ''}`),
  };
}

/** `Alert closed`: the state stands behind. */
function lastWord(words: string | null): string {
  return /^alert (\w+)/iu.exec((words ?? '').trim())?.[1] ?? '';
}

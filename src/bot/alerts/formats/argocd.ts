import { normalizedName } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { type Attachment, fieldFacts, type MessageContent } from '../message.ts';
import { plainText, toDescription, toErrorMessage, toTitle, withoutMarkup } from '../slack-text.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, emptyAlert } from '../types.ts';

const SENTENCE =
  /\bapplication ['"]?([\w.-]{1,253})['"]? (has failed|has degraded|sync is ['"]?Unknown|has been|has started|has succeeded|is now running)\b/iu;
/** The changes that are problems. The others are successes. */
const PROBLEM = /failed|degraded|Unknown/iu;
const CONDITION = /^[A-Z][A-Za-z]{2,60}(?:Error|Warning)$/u;

/** Argo CD, by the templates of its own catalogue. */
export const argocd: Format = { name: 'argocd', tool: 'Argo CD', extract };

/** One sentence about an application, and an attachment of its name. */
function extract({ person, names, message, attachments }: MessageContent): Alert | null {
  if (person) return null;
  const text = withoutMarkup(plainText(message.text));
  const [, named, words] = SENTENCE.exec(text.slice(0, 2_000)) ?? [];
  const part = attachments.find(isApplications);
  if (named === undefined || words === undefined) return null;
  if (part === undefined && !names.some((name) => /^argo ?cd\b/iu.test(name))) return null;

  const app = plainText(part?.title ?? '').trim() || named;
  const title = toTitle(app);
  if (!PROBLEM.test(words)) return { ...emptyAlert('argocd'), title };

  const facts = part === undefined ? [] : fieldFacts(part);
  const condition = facts.find(({ name }) => CONDITION.test(name));
  const error = /with the following error: ([^\n]*)/u.exec(plainText(message.text))?.[1];
  return {
    ...emptyAlert('argocd'),
    kind: 'firing',
    title,
    description: toDescription(
      [message.text, ...facts.map(({ name, value }) => `*${name}:* ${value}`)].join('\n'),
      title,
    ),
    service: app,
    triggeredAt: timestampIn(/\bat (\S{10,40})/u.exec(text)?.[1] ?? ''),
    alertUrl: part?.title_link || null,
    errorType: condition?.name ?? null,
    errorMessage: toErrorMessage(error ?? condition?.value ?? null),
    fingerprint: fingerprintOf('argocd', app),
  };
}

function isApplications({ title_link, fields }: Attachment): boolean {
  const titles = fields.map((field) => normalizedName(field.title));
  return (
    titles.includes('sync status') || titles.includes('health status') || /\/applications\//u.test(title_link)
  );
}

import { type Fact, normalizedName, statedValue, tagWords } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { type Attachment, attachmentText, fieldFacts, type MessageContent } from '../message.ts';
import { linksOf, plainText, quotableText, toDescription, toErrorMessage, toTitle } from '../slack-text.ts';
import { type Alert, emptyAlert } from '../types.ts';

const TITLE = /^\s*(?:The check )?[“"](.{1,500})[”"] is (DOWN|UP)\b/su;
const CLOAKED = /\/cloaked\/([\da-f]{40})/u;

/** Healthchecks.io, and the same program on somebody's own server. */
export const healthchecks: Format = { name: 'healthchecks', tool: 'Healthchecks', extract };

/** `“check” is DOWN.`, with the check's project, tags and pings below. */
function extract({ person, names, attachments, message, facts: stated }: MessageContent): Alert | null {
  if (person) return null;
  const part = attachments.find((one) => TITLE.test(headingOf(one)) && isChecks(one, names));
  if (part === undefined) return attachments.length > 0 ? null : extractText(message.text, names, stated);
  const [, name, state] = TITLE.exec(headingOf(part)) ?? [];
  if (name === undefined) return null;

  const facts = fieldFacts(part);
  const project = statedValue(facts, 'project');
  const title = toTitle(name);
  return {
    ...emptyAlert('healthchecks'),
    kind: state === 'DOWN' ? 'firing' : 'resolved',
    title,
    description: toDescription(attachmentText({ ...part, title: '', fallback: '' }), title),
    service: project,
    alertUrl: part.title_link || null,
    errorMessage: toErrorMessage(plainText(part.text).replace(/^\s*Reason:\s*/u, '')),
    tags: tagWords(statedValue(facts, 'tags') ?? ''),
    fingerprint: identityOf(part.title_link, name, project ?? ''),
  };
}

/** The same without a card: its title is the first line. */
function extractText(text: string, names: readonly string[], facts: readonly Fact[]): Alert | null {
  const [, name, state] = TITLE.exec(quotableText(text)) ?? [];
  if (name === undefined || !names.some((one) => SENDER.test(one))) return null;
  const project = statedValue(facts, 'project');
  const link = linksOf(text).find(({ url }) => CLOAKED.test(url))?.url ?? '';
  const title = toTitle(name);
  return {
    ...emptyAlert('healthchecks'),
    kind: state === 'DOWN' ? 'firing' : 'resolved',
    title,
    description: toDescription(text, title),
    service: project,
    alertUrl: link || null,
    errorMessage: toErrorMessage(statedValue(facts, 'reason')),
    tags: tagWords(statedValue(facts, 'tags') ?? ''),
    fingerprint: identityOf(link, name, project ?? ''),
  };
}

const SENDER = /^healthchecks\b/iu;

function headingOf({ title, fallback }: Attachment): string {
  return plainText(title || fallback);
}

function isChecks(part: Attachment, names: readonly string[]): boolean {
  const titles = part.fields.map((field) => normalizedName(field.title));
  return (
    CLOAKED.test(part.title_link) ||
    titles.includes('total pings') ||
    titles.includes('last ping') ||
    names.some((name) => SENDER.test(name))
  );
}

/** The link bears the check's own key; a check without a link is known by its name in its project. */
function identityOf(link: string, name: string, project: string): string {
  const key = CLOAKED.exec(link)?.[1];
  return key === undefined
    ? fingerprintOf('healthchecks', project, name)
    : fingerprintOf('healthchecks', key);
}

import { addressesOf, parameterOf } from '../../addresses.ts';
import { blank } from '../../blank.ts';
import { type Fact, fact } from '../../facts.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import { blocksText, type Reading } from '../../reading.ts';
import { bare, type Link, linksOf, plain } from '../../slack-text.ts';
import type { Alert, AlertKind } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../words.ts';
import { isSentrys, issueOf, issuePrint, pageOf } from './sender.ts';

const CODE = /```([^`]{1,8000})```/u;
const TAG = /(?:^|\s)([A-Za-z][\w.:-]{0,80}): (`[^`\n]{1,400}`)/gu;
const TAGS_LINE = /^[A-Za-z][\w.:-]{0,80}: `/u;

/** An issue: its type is a link, its message a block of code, its project, state and short id stand below. */
export function extractIssue(reading: Reading): Alert | null {
  const { message, body, facts } = reading;
  const link = issueLink(reading);
  const shortId = statedValue(facts, 'short id');
  const known = isSentrys(reading) || (shortId !== null && statedValue(facts, 'state') !== null);
  const [, project, headline] = /^\[([^\]\n]{1,100})\] ([^\n]+)/u.exec(plain(message.text)) ?? [];
  if (!known || (link === null && headline === undefined)) return null;

  const errorMessage = messageOf(CODE.exec(plain(body))?.[1] ?? null);
  const errorType = titleOf(bare(link?.label ?? ''));
  const title = titleOf(headline ?? [errorType, errorMessage].filter(Boolean).join(': '));
  const tags = tagsOf(body);
  const { fields } = fromLabels(tags);
  const service = statedValue(facts, 'project') ?? project ?? null;
  const number = link === null ? null : issueOf(link.url);
  return {
    ...blank('sentry'),
    ...fields,
    kind: kindOf(reading),
    title,
    description: descriptionOf(wordsOf(reading), title),
    environment: fields.environment ?? (link === null ? null : parameterOf(link.url, 'environment') || null),
    service,
    alertUrl: link === null ? null : pageOf(link.url),
    errorType,
    errorMessage,
    tags: tags.filter(({ name }) => name !== 'release').map(({ name, value }) => `${name}:${value}`),
    fingerprint:
      number === null ? fingerprintOf('sentry', 'name', service ?? '', title ?? '') : issuePrint(number),
  };
}

/** The first link to an issue; a title's, where the message is an attachment. */
function issueLink(reading: Reading): Link | null {
  const titled = reading.attachments.find(({ title_link }) => issueOf(title_link));
  if (titled) return { url: titled.title_link, label: plain(titled.title) };
  const words = linksOf(reading.body).find(({ url }) => issueOf(url));
  const address = addressesOf(reading).find((url) => issueOf(url));
  return words ?? (address === undefined ? null : { url: address, label: null });
}

/** The card is edited when somebody resolves or archives the issue from it. */
function kindOf({ body, facts }: Reading): AlertKind {
  const state = statedValue(facts, 'state') ?? '';
  const by = /^\W{0,6}Issue (resolved|archived|ignored)\b/imu.exec(plain(body))?.[1] ?? '';
  if (/^resolved/iu.test(by || state)) return 'resolved';
  return /^(?:archived|ignored|muted)/iu.test(by || state) ? 'not_an_alert' : 'firing';
}

/** The line of tags: ``environment: `production`  server_name: `web-14` ``. */
function tagsOf(body: string): Fact[] {
  const line = body
    .replace(/```[^`]*```/gu, '')
    .split('\n')
    .find((words) => TAGS_LINE.test(words.trimStart()));
  return [...(line ?? '').matchAll(TAG)].map(([, name = '', value = '']) => fact(name, value));
}

function wordsOf({ message, attachments, body }: Reading): string {
  return attachments.length > 0 ? body : blocksText(message.blocks) || body;
}

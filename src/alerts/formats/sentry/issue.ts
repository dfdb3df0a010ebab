import { addressesOf, parameterOf } from '../../addresses.ts';
import { blank } from '../../blank.ts';
import { type Fact, fact, factsOf } from '../../facts.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import { blocksText, detailsOf, type Reading } from '../../reading.ts';
import { bare, codeIn, type Link, linksOf, plain, withoutCode } from '../../slack-text.ts';
import type { Alert, AlertKind } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../words.ts';
import { isSentrys, issueOf, issuePrint, pageOf } from './sender.ts';

const TAG = /(?:^|\s)([A-Za-z][\w.:-]{0,80}): (`[^`\n]{1,400}`)/gu;
const TAGS_LINE = /^[A-Za-z][\w.:-]{0,80}: `/u;

/** An issue: its type is a link, its message a block of code, its project, state and short id stand below. */
export function extractIssue(reading: Reading): Alert | null {
  const { message, body } = reading;
  if (!isSentrys(reading) && !isCard(reading.facts)) return null;

  const words = withoutCode(body);
  const facts = factsOf(words);
  const link = issueLink(reading);
  const [, project, headline] = /^\[([^\]\n]{1,100})\] ([^\n]+)/u.exec(plain(message.text)) ?? [];
  if (link === null && headline === undefined) return null;

  const errorMessage = messageOf(codeIn(plain(body)));
  const errorType = titleOf(bare(link?.label ?? ''));
  const title = titleOf(headline ?? [errorType, errorMessage].filter(Boolean).join(': '));
  const tags = tagsOf(words);
  const { fields } = fromLabels(tags);
  const service = statedValue(facts, 'project') ?? project ?? null;
  const number = link === null ? null : issueOf(link.url);
  return {
    ...blank('sentry'),
    ...fields,
    kind: kindOf(words, statedValue(facts, 'state') ?? ''),
    title,
    description: descriptionOf(belowTitle(reading), title),
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

/** Whether it has what stands below each issue; other bots that speak of one do not repeat it. */
function isCard(facts: readonly Fact[]): boolean {
  return statedValue(facts, 'short id') !== null && statedValue(facts, 'state') !== null;
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
function kindOf(words: string, state: string): AlertKind {
  const by = /^\W{0,6}Issue (resolved|archived|ignored)\b/imu.exec(plain(words))?.[1] ?? '';
  if (/^resolved/iu.test(by || state)) return 'resolved';
  return /^(?:archived|ignored|muted)/iu.test(by || state) ? 'not_an_alert' : 'firing';
}

/** The line of tags: ``environment: `production`  server_name: `web-14` ``. */
function tagsOf(words: string): Fact[] {
  const line = words.split('\n').find((one) => TAGS_LINE.test(one.trimStart()));
  return [...(line ?? '').matchAll(TAG)].map(([, name = '', value = '']) => fact(name, value));
}

/** All but the title, whose link differs from one delivery to the next. */
function belowTitle({ message, attachments }: Reading): string {
  return [...attachments.map(detailsOf), blocksText(message.blocks)]
    .flatMap((text) => text.split('\n'))
    .filter((line) => !linksOf(line).some(({ url }) => issueOf(url)))
    .join('\n');
}

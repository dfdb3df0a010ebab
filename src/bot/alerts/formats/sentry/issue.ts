import { emptyAlert } from '../../empty-alert.ts';
import { type ErrorDetails, errorIn, isErrorType } from '../../error-text.ts';
import { type Fact, factsOf, toFact } from '../../facts.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import { attachmentDetails, blocksText, type MessageContent } from '../../message-content.ts';
import { severityWord } from '../../severity.ts';
import {
  firstCodeBlock,
  type Link,
  linksOf,
  plainText,
  withoutCodeBlocks,
  withoutMarkup,
  withoutUrls,
} from '../../slack-text.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import { timestampIn } from '../../timestamps.ts';
import type { Alert, AlertKind, Severity } from '../../types.ts';
import { queryParameter, urlsOf } from '../../urls.ts';
import { isFromSentry, issueFingerprint, issueNumberIn, stableUrl } from './issue-links.ts';

const TAG = /(?:^|\s)([A-Za-z][\w.:-]{0,80}): (`[^`\n]{1,400}`)/gu;
const TAGS_LINE = /^[A-Za-z][\w.:-]{0,80}: `/u;

/** An issue: its type is a link, its message a block of code, its project, state and short id stand below. */
export function extractIssue(content: MessageContent): Alert | null {
  const { message, body } = content;
  if (!isFromSentry(content) && !isCard(content.facts)) return null;

  const words = withoutCodeBlocks(body);
  const facts = factsOf(words);
  const link = issueLink(content);
  const [, project, headline] =
    /^\[([^\]\n]{1,100})\] ([^\n]+)/u.exec(withoutUrls(message.text).trim()) ?? [];
  if (link === null && headline === undefined) return null;

  const label = withoutMarkup(link?.label ?? '');
  const code = toErrorMessage(firstCodeBlock(plainText(body)));
  const title = toTitle(headline ?? [label, code].filter(Boolean).join(': '));
  const tags = tagsOf(words);
  const { fields: stated } = fromLabels(facts);
  const { fields } = fromLabels(tags);
  const service = statedValue(facts, 'project') ?? project ?? null;
  const number = link === null ? null : issueNumberIn(link.url);
  return {
    ...emptyAlert('sentry'),
    ...fields,
    kind: kindOf(words, statedValue(facts, 'state') ?? ''),
    title,
    description: toDescription(belowTitle(content), title),
    severity: fields.severity ?? stated.severity ?? levelOf(content, headline ?? ''),
    environment:
      fields.environment ??
      stated.environment ??
      (link === null ? null : queryParameter(link.url, 'environment') || null),
    host: fields.host ?? stated.host,
    version: fields.version ?? stated.version,
    service,
    alertUrl: link === null ? null : stableUrl(link.url),
    triggeredAt: timestampIn(statedValue(facts, 'approx start time', 'time', 'timestamp', 'date') ?? ''),
    ...errorOf(content, label, code, headline ?? ''),
    tags: tags.filter(({ name }) => name !== 'release').map(({ name, value }) => `${name}:${value}`),
    fingerprint:
      number === null
        ? fingerprintOf('sentry', 'name', service ?? '', title ?? '')
        : issueFingerprint(number),
  };
}

/**
 * The error's name and its own words. An error's link bears its class and the code below it the message; a message that
 * a program logged is the link's words alone, or with no code below it, and names no error.
 */
function errorOf(
  content: MessageContent,
  label: string,
  code: string | null,
  headline: string,
): ErrorDetails {
  if (label !== '' && (isErrorType(label) || (code !== null && (isCategory(content) || isName(label)))))
    return { errorType: toTitle(label), errorMessage: code };
  const thrown = errorIn(label || headline);
  return thrown.errorType === null
    ? { errorType: null, errorMessage: code }
    : { errorType: thrown.errorType, errorMessage: code ?? thrown.errorMessage };
}

/** Classes have any name that a language allows; a sentence is none. */
function isName(label: string): boolean {
  return label.split(' ').length < 3;
}

/** Crons, uptime and performance: their emoji is the category's, and the link says what kind of problem it is. */
function isCategory(content: MessageContent): boolean {
  return CATEGORY.test(titleLine(content));
}

const CATEGORY =
  /:(?:spiral_calendar_pad|spiral_calendar|chart_with_upwards_trend|busts_in_silhouette|stopwatch|calendar):|[\u{1F5D3}\u{1F4C8}\u{1F465}]/u;

/** The level: red is an error's and a fatal one's, the other circles stand for one level each. */
function levelOf(content: MessageContent, headline: string): Severity | null {
  const [, word] = /^\[?(fatal|critical|warning|info|debug)(?:\]|:)/iu.exec(headline) ?? [];
  if (word !== undefined) return severityWord(word);
  const line = titleLine(content);
  if (CATEGORY.test(line)) return null;
  if (/:(?:large_yellow_circle|warning):|[\u{1F7E1}\u{26A0}]/u.test(line)) return 'medium';
  return /:(?:large_blue_circle|information_source|bug):|[\u{1F535}\u{2139}\u{1F41B}]/u.test(line)
    ? 'low'
    : null;
}

/** What stands before the issue's link on its line. */
function titleLine(content: MessageContent): string {
  const line = content.body.split('\n').find((one) => linksOf(one).some(({ url }) => issueNumberIn(url)));
  return line?.split('<http', 1)[0] ?? '';
}

/** Whether it has what is below each issue; other bots that speak of one do not repeat it. */
function isCard(facts: readonly Fact[]): boolean {
  return statedValue(facts, 'short id') !== null && statedValue(facts, 'state') !== null;
}

/** The first link to an issue; a title's, where the message is an attachment. */
function issueLink(content: MessageContent): Link | null {
  const titled = content.attachments.find(({ title_link }) => issueNumberIn(title_link));
  if (titled) return { url: titled.title_link, label: plainText(titled.title) };
  const words = linksOf(content.body).find(({ url }) => issueNumberIn(url));
  const address = urlsOf(content).find((url) => issueNumberIn(url));
  return words ?? (address === undefined ? null : { url: address, label: null });
}

/** The card is edited when somebody resolves or archives the issue from it. */
function kindOf(words: string, state: string): AlertKind {
  const by = /^\W{0,6}Issue (resolved|archived|ignored)\b/imu.exec(plainText(words))?.[1] ?? '';
  if (/^resolved/iu.test(by || state)) return 'resolved';
  return /^(?:archived|ignored|muted)/iu.test(by || state) ? 'not_an_alert' : 'firing';
}

/** The line of tags: ``environment: `production`  server_name: `web-14` ``. */
function tagsOf(words: string): Fact[] {
  const line = words.split('\n').find((one) => TAGS_LINE.test(one.trimStart()));
  return [...(line ?? '').matchAll(TAG)].map(([, name = '', value = '']) => toFact(name, value));
}

/** All but the title, whose link differs from one delivery to the next. */
function belowTitle({ message, attachments }: MessageContent): string {
  return [...attachments.map(attachmentDetails), blocksText(message.blocks)]
    .flatMap((text) => text.split('\n'))
    .filter((line) => !linksOf(line).some(({ url }) => issueNumberIn(url)))
    .join('\n');
}

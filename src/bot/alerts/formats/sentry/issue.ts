import { addressesOf, parameterOf } from '../../urls.ts';
import { blank } from '../../empty-alert.ts';
import { type Fact, fact, factsOf } from '../../facts.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import { blocksText, detailsOf, type Reading } from '../../message-content.ts';
import { severityWord } from '../../severity.ts';
import { bare, codeIn, type Link, linksOf, plain, withoutCode, withoutUrls } from '../../slack-text.ts';
import { isErrorName, type Thrown, thrownIn } from '../../error-text.ts';
import { timeIn } from '../../timestamps.ts';
import type { Alert, AlertKind, Severity } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';
import { isSentrys, issueOf, issuePrint, pageOf } from './issue-links.ts';

const TAG = /(?:^|\s)([A-Za-z][\w.:-]{0,80}): (`[^`\n]{1,400}`)/gu;
const TAGS_LINE = /^[A-Za-z][\w.:-]{0,80}: `/u;

/** An issue: its type is a link, its message a block of code, its project, state and short id stand below. */
export function extractIssue(reading: Reading): Alert | null {
  const { message, body } = reading;
  if (!isSentrys(reading) && !isCard(reading.facts)) return null;

  const words = withoutCode(body);
  const facts = factsOf(words);
  const link = issueLink(reading);
  const [, project, headline] =
    /^\[([^\]\n]{1,100})\] ([^\n]+)/u.exec(withoutUrls(message.text).trim()) ?? [];
  if (link === null && headline === undefined) return null;

  const label = bare(link?.label ?? '');
  const code = messageOf(codeIn(plain(body)));
  const title = titleOf(headline ?? [label, code].filter(Boolean).join(': '));
  const tags = tagsOf(words);
  const { fields: stated } = fromLabels(facts);
  const { fields } = fromLabels(tags);
  const service = statedValue(facts, 'project') ?? project ?? null;
  const number = link === null ? null : issueOf(link.url);
  return {
    ...blank('sentry'),
    ...fields,
    kind: kindOf(words, statedValue(facts, 'state') ?? ''),
    title,
    description: descriptionOf(belowTitle(reading), title),
    severity: fields.severity ?? stated.severity ?? levelOf(reading, headline ?? ''),
    environment:
      fields.environment ??
      stated.environment ??
      (link === null ? null : parameterOf(link.url, 'environment') || null),
    host: fields.host ?? stated.host,
    version: fields.version ?? stated.version,
    service,
    alertUrl: link === null ? null : pageOf(link.url),
    triggeredAt: timeIn(statedValue(facts, 'approx start time', 'time', 'timestamp', 'date') ?? ''),
    ...errorOf(reading, label, code, headline ?? ''),
    tags: tags.filter(({ name }) => name !== 'release').map(({ name, value }) => `${name}:${value}`),
    fingerprint:
      number === null ? fingerprintOf('sentry', 'name', service ?? '', title ?? '') : issuePrint(number),
  };
}

/**
 * The error's name and its own words. An error's link bears its class and the code below it the message; a message that
 * a program logged is the link's words alone, or with no code below it, and names no error.
 */
function errorOf(reading: Reading, label: string, code: string | null, headline: string): Thrown {
  if (label !== '' && (isErrorName(label) || (code !== null && (isCategory(reading) || isName(label)))))
    return { errorType: titleOf(label), errorMessage: code };
  const thrown = thrownIn(label || headline);
  return thrown.errorType === null
    ? { errorType: null, errorMessage: code }
    : { errorType: thrown.errorType, errorMessage: code ?? thrown.errorMessage };
}

/** Classes have any name that a language allows; a sentence is none. */
function isName(label: string): boolean {
  return label.split(' ').length < 3;
}

/** Crons, uptime and performance: their emoji is the category's, and the link says what kind of problem it is. */
function isCategory(reading: Reading): boolean {
  return CATEGORY.test(titleLine(reading));
}

const CATEGORY =
  /:(?:spiral_calendar_pad|spiral_calendar|chart_with_upwards_trend|busts_in_silhouette|stopwatch|calendar):|[\u{1F5D3}\u{1F4C8}\u{1F465}]/u;

/** The level: red is an error's and a fatal one's, the other circles stand for one level each. */
function levelOf(reading: Reading, headline: string): Severity | null {
  const [, word] = /^\[?(fatal|critical|warning|info|debug)(?:\]|:)/iu.exec(headline) ?? [];
  if (word !== undefined) return severityWord(word);
  const line = titleLine(reading);
  if (CATEGORY.test(line)) return null;
  if (/:(?:large_yellow_circle|warning):|[\u{1F7E1}\u{26A0}]/u.test(line)) return 'medium';
  return /:(?:large_blue_circle|information_source|bug):|[\u{1F535}\u{2139}\u{1F41B}]/u.test(line)
    ? 'low'
    : null;
}

/** What stands before the issue's link on its line. */
function titleLine(reading: Reading): string {
  const line = reading.body.split('\n').find((one) => linksOf(one).some(({ url }) => issueOf(url)));
  return line?.split('<http', 1)[0] ?? '';
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

import { isRegion, regionIn } from '../../details.ts';
import {
  type Fact,
  factsOf,
  firstFacts,
  fromLabels,
  normalizedName,
  statedTime,
  statedValue,
  tagsIn,
  withUsualNames,
} from '../../facts.ts';
import type { Format } from '../../format.ts';
import { fingerprintOf } from '../../identity.ts';
import { fieldFacts, type MessageContent } from '../../message.ts';
import { identifiersIn } from '../../names.ts';
import { labelsOfTags } from '../../payload.ts';
import {
  firstCodeBlock,
  linksOf,
  plainText,
  toDescription,
  toErrorMessage,
  toTitle,
  withoutMarkup,
  withoutUrls,
} from '../../slack-text.ts';
import { highestSeverity, severityOf, severityWord } from '../../state.ts';
import { isoTimestamp, timestampIn } from '../../timestamps.ts';
import { type Alert, emptyAlert, type Severity } from '../../types.ts';
import { kindOf } from '../../values.ts';
import { oneOf, setOf } from '../../vocabulary.ts';
import { markersOf } from '../../wording.ts';
import { alertLinks, identityOf, signedObjects } from './identity.ts';
import {
  headlineOf,
  inlineFacts,
  isTitleOf,
  leadingLines,
  proseDetails,
  scopeOf,
  structuredFacts,
} from './layout.ts';
import { verdictOf } from './verdict.ts';

/** Other tools' messages, by what tools have in common, and people's own reports. */
export const generic: Format = {
  name: 'generic',
  tool: null,
  extract: (content) => (content.person ? extractHumanReport(content) : extractToolMessage(content)),
};

const ERRORS = (
  'error message, error, alarm reason, event description, trigger description, exception message, ' +
  'description, message, summary, reason, additional info, info'
).split(', ');
const ERROR_TYPES = ['error type', 'errortype', 'exception type', 'exception', 'error class', 'code'];
/** Any tool's message. It is an alert only if it states a problem, a recovery or an acknowledgement. */
function extractToolMessage(message: MessageContent): Alert {
  const news = withoutOthers(message);
  const content = { ...news, facts: withUsualNames([...news.facts, ...structuredFacts(news.body)]) };
  const heads = leadingLines(content);
  const { verdict, isContradicted } = verdictOf(content, heads, content.facts);
  if (verdict === 'none') return emptyAlert('generic');

  const title = headlineOf(content, heads, content.facts);
  const links = alertLinks(content, heads);
  const tags = tagsIn(statedValue(content.facts, 'tags', 'event tags', 'labels') ?? '');
  const inline = withUsualNames(inlineFacts(content.body));
  const tagged = Object.entries(labelsOfTags(tags)).map(([name, value]) => ({ name, value, url: null }));
  const { fields } = fromLabels(firstFacts([...content.facts, ...tagged, ...inline]));
  const scope = scopeOf(heads);
  const service = fields.service ?? scope.service;
  // Zabbix and Checkmk put the address behind the name.
  const host = fields.host?.replace(/ [[(][^\])]*[\])]$/u, '') ?? scope.host;
  const alertUrl = links[0]?.url ?? null;
  const prose = proseDetails(heads);
  const signed = [...signedObjects(content), ...namesAbove(heads, title ?? '')];
  const identity = identityOf({
    links,
    title: title ?? '',
    heads,
    facts: content.facts,
    host,
    service,
    signed,
    source: [message.message.channel, ...message.names].join(' '),
  });
  return {
    ...emptyAlert('generic'),
    ...fields,
    host: host ?? prose.host,
    kind: verdict === 'noted' ? 'not_an_alert' : verdict,
    title,
    description: toDescription(content.body, title),
    severity: fields.severity ?? severityIn(content.facts, heads),
    environment: fields.environment ?? scope.environment,
    service,
    region:
      fields.region ??
      links.map(({ url }) => regionIn(url)).find((region) => region !== null) ??
      heads.flatMap((head) => plainText(head).split(/[\s,|()`:;]+/u)).find(isRegion) ??
      null,
    triggeredAt: timeOf(content),
    alertUrl,
    errorType: toTitle(statedValue(content.facts, ...ERROR_TYPES) ?? '') ?? prose.errorType,
    errorMessage:
      verdict === 'noted'
        ? null
        : toErrorMessage(
            statedValue(content.facts, ...ERRORS) ??
              firstCodeBlock(plainText(content.body)) ??
              textBelow(content) ??
              prose.errorMessage,
          ),
    tags,
    ...(identity === null ? { isNameless: true as const } : {}),
    ...(isContradicted ? { isContradicted: true as const } : {}),
    ...(identity ?? {
      fingerprint: fingerprintOf('generic', 'nameless', message.message.channel, ...message.names),
    }),
  };
}

/** The objects in the first line, where another one is the title: the place of what it says is wrong. */
function namesAbove([first = '']: readonly string[], title: string): string[] {
  const line = withoutMarkup(plainText(first));
  return line.split(' ').length > ABOVE_WORDS || line.includes(title) || isTitleOf(title, line)
    ? []
    : identifiersIn(line);
}

/** A longer first line is a sentence. */
const ABOVE_WORDS = 5;

/** A list of what else is open is of other alerts, where another heading says which is new or over. */
function withoutOthers(content: MessageContent): MessageContent {
  const { message, body } = content;
  const text = newsOf(message.text);
  if (text === message.text) return content;
  const news = newsOf(body);
  const facts = [...content.attachments.flatMap(fieldFacts), ...factsOf(news)];
  return { ...content, message: { ...message, text }, body: news, facts };
}

const OTHERS =
  /^\W*(?:all |other )?(?:current(?:ly)?|active|open|remaining|ongoing|outstanding|other)\b[^:\n]{0,40}:\s*$/iu;

function newsOf(text: string): string {
  const lines = text.split('\n');
  const isHeading = (line: string) => /^[^\s•*-].{0,80}:\s*$/u.test(line);
  if (!lines.some((line) => isHeading(line) && !OTHERS.test(line))) return text;
  let isNews = true;
  return lines
    .filter((line) => {
      if (isHeading(line)) isNews = !OTHERS.test(line);
      return isNews;
    })
    .join('\n');
}

/** Fields of a state, whose words may grade it: `Status: Critical`. */
const STATES = new Set(['state', 'status']);

function severityIn(facts: readonly Fact[], heads: readonly string[]): Severity | null {
  const states = facts
    .filter(({ name }) => STATES.has(normalizedName(name)))
    .map(({ value }) => severityOf(value));
  const marked = heads
    .slice(0, 8)
    .flatMap((head) => markersOf(withoutMarkup(plainText(head))).map(({ word }) => severityWord(word)));
  // The last word of a part of it: `[Open] Checkout Critical - HttpServerError`.
  const last = heads
    .slice(0, 3)
    .flatMap((head) => withoutMarkup(plainText(head)).split(/(?: [-–—|·]|:) /u))
    .map((part) => severityWord(/(\w+)\W{0,3}$/u.exec(part)?.[1] ?? ''));
  return highestSeverity(states) ?? highestSeverity(marked) ?? highestSeverity(last);
}

/** A labeled time, or any time in the text; otherwise the attachment's own timestamp. */
function timeOf(content: MessageContent): string | null {
  const sent = content.attachments.find(({ ts }) => ts !== null)?.ts ?? Number.NaN;
  return statedTime(content.facts) ?? timestampIn(withoutUrls(content.body)) ?? isoTimestamp(sent * 1000);
}

/** The first paragraph below an attachment's title, or below the only line of a text. */
function textBelow({ attachments, message }: MessageContent): string | null {
  const [, below] = attachments.length > 0 ? [] : (/^[^\n]+\n([^\n:<]+)$/u.exec(message.text.trim()) ?? []);
  const texts = attachments.filter(({ title }) => title !== '').map(({ text }) => text.trim());
  const [text] = [...texts, below ?? ''].filter(
    (one) => one !== '' && factsOf(one).length < 2 && kindOf(plainText(one)) !== 'state',
  );
  const lines =
    plainText(text ?? '')
      .split('\n\n', 1)[0]
      ?.split('\n') ?? [];
  const own = lines.filter((line, at) => at === 0 || factsOf(line).length === 0);
  return text === undefined ? null : withoutMarkup(own.join('\n'));
}

/** A longer message is a discussion, not a report. */
const MAX_REPORT = 2_000;

/** A person's top-level message that reads like a report or an all-clear; never a reply. */
function extractHumanReport(content: MessageContent): Alert {
  const words = plainText(content.body).trim();
  const text = words.length > MAX_REPORT ? '' : withoutMarkup(words);
  const over = OVER.exec(text);
  const anybody = ANYBODY.exec(text);
  const problem = PROBLEM.exec(text) ?? ALARM.exec(text) ?? (anybody?.groups?.seeing ? anybody : null);
  const resolved = over !== null && !NOT_OVER.test(text) && (problem === null || over.index < problem.index);
  const phrase = resolved ? over : problem;
  if (phrase === null || content.reply || isChatter(text)) return emptyAlert('generic');

  const title = toTitle(text.split('\n', 1)[0] ?? '');
  const service = serviceIn(text.slice(0, phrase.index), text.slice(phrase.index));
  return {
    ...emptyAlert('generic'),
    kind: resolved ? 'resolved' : 'firing',
    title,
    description: toDescription(content.body, title),
    severity: highestSeverity((text.match(/\b(?:sev ?[0-4]|p[0-4]|critical)\b/giu) ?? []).map(severityOf)),
    environment: ENVIRONMENT.exec(text)?.[1]?.toLowerCase() ?? null,
    service,
    region: text.split(/[\s,:;()]+/u).find(isRegion) ?? null,
    alertUrl: linksOf(content.body)[0]?.url ?? null,
    errorMessage: resolved ? null : toErrorMessage(words),
    // All that an all-clear has in common with its report is what both are about.
    fingerprint: fingerprintOf('generic', 'person', (service ?? title ?? '').toLowerCase()),
  };
}

function isChatter(text: string): boolean {
  return CHATTER.test(text) || (text.endsWith('?') && !ANYBODY.test(text));
}

/** The service of a report: the last word before the problem, otherwise the one after `on` or `in`. */
function serviceIn(before: string, after: string): string | null {
  const words =
    before.replace(/\s(?:in|on|for) [\w-]+(?=[\s\w]{0,30}$)/u, '').match(/[\w'-]+|[,;:.!]/gu) ?? [];
  const isBetween = (word = '') => BETWEEN.has(word.toLowerCase());
  // How slow it is stands between a subject with its verb and the problem: *search is super slow*.
  const [subject = '', verb, degree] = words.slice(-3);
  if (isService(subject) && !ASKS.has(subject.toLowerCase()) && isBetween(verb) && !isBetween(degree))
    words.pop();
  while (isBetween(words.at(-1))) words.pop();
  const place = /\b(?:on|in|with|for|from) (?:the )?([A-Za-z][\w-]{1,60})/u.exec(after)?.[1] ?? '';
  return [words.at(-1) ?? '', place].find(isService) ?? null;
}

function isService(word: string): boolean {
  return /^[A-Za-z][\w-]{1,60}$/u.test(word) && !NO_SERVICE.has(word.toLowerCase()) && !isRegion(word);
}

/** A case-insensitive expression of whole phrases, each a part of a regular expression. */
function phrases(words: string): RegExp {
  return new RegExp(`\\b(?:${words})(?![\\w-])`, 'iu');
}

/** What people write about a current problem. */
const PROBLEM = phrases(oneOf('person: problem'));

/** How people start a report of an incident. */
const ALARM = /^(?:sev ?[0-4]|p[0-4]|(?:prod(?:uction)? )?incident|outage|urgent|emergency)\b\s?[:!-]/iu;

/** What people write when something is over. */
const OVER = phrases(oneOf('person: over'));

/** The same words for something that is not over yet. */
const NOT_OVER =
  /(?:\b(?:not|never|still|until|once|when|will be|should be|hope|hopefully|if)\b|n't\b)[^.,;]{0,30}\b(?:back|recovered|resolved|fixed|healthy|clear|normal)\b|\bun(?:resolved|healthy|fixed)\b/iu;

/** Talk about the past, plans and work in progress, which uses the words of a report. */
const CHATTER = phrases(oneOf('person: chatter'));

/** A question whether others have the problem too: of who sees it, a report whatever it is. */
const ANYBODY =
  /(?<seeing>\bany(?:one|body)\b.{0,20}\b(?:seeing|getting|having|noticing|hitting|experiencing) (?:it|this|that|these|those|the same|errors?|issues|problems|timeouts|[45]\d\ds?|5xx)\b|\bis (?:it|this) (?:just|only) me\b)|\b(?:any(?:one|body) else|just me)\b/iu;

const ENVIRONMENT = /(?<![\w-])(prod|production|staging|stage|stg|pre-?prod|uat|qa|dev)(?![\w-])/iu;

/** After these a verb comes before its subject. */
const ASKS = new Set(['why', 'when', 'where', 'how', 'what', 'who']);

/** Words between a service and what is wrong with it. */
const BETWEEN = setOf('person: between');

/** Words that appear where a service's name would. */
const NO_SERVICE = setOf('person: no service');

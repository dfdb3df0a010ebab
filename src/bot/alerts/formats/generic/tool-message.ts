import { emptyAlert } from '../../empty-alert.ts';
import { type Fact, factsOf, normalizedName } from '../../facts.ts';
import { isRegion, regionIn } from '../../hosts-and-regions.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import type { MessageContent } from '../../message-content.ts';
import { highestSeverity, severityOf, severityWord } from '../../severity.ts';
import { firstCodeBlock, plainText, withoutMarkup, withoutUrls } from '../../slack-text.ts';
import { tagLines, tagWords } from '../../tags.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import { isoTimestamp, timestampIn } from '../../timestamps.ts';
import type { Alert, Severity } from '../../types.ts';
import { alertLinks } from './alert-links.ts';
import { headlineOf } from './headline.ts';
import { identityOf } from './identity.ts';
import { leadingLines } from './leading-lines.ts';
import { proseDetails } from './prose-details.ts';
import { inlineFacts, scopeOf, withUsualNames } from './scope.ts';
import { markersOf } from './state-markers.ts';
import { structuredFacts } from './structured-text.ts';
import { verdictOf } from './verdict.ts';

const ERRORS = [
  'error message',
  'error',
  'alarm reason',
  'event description',
  'trigger description',
  'exception message',
  'description',
  'message',
  'summary',
  'reason',
];
const ERROR_TYPES = ['error type', 'errortype', 'exception type', 'exception', 'error class', 'code'];
const TIME =
  /^(?:(?:event|start|alert|trigger|triggered|incident|local|problem)? ?time|date|started|started at|starts at|since|triggered at|timestamp)(?: \(([\w/+ -]{3,40})\))?$/u;
const LABELS = /^\[(?:FIRING|RESOLVED)[^\]\n]{0,40}\] [^\n]{1,300} \(([^()\n]{1,300})\)$/u;
/** Any tool's message. It is an alert only if it states a problem, a recovery or an acknowledgement. */
export function extractToolMessage(message: MessageContent): Alert {
  const content = { ...message, facts: withUsualNames([...message.facts, ...structuredFacts(message.body)]) };
  const heads = leadingLines(content);
  const verdict = verdictOf(content, heads, content.facts);
  if (verdict === 'none') return emptyAlert('generic');

  const facts = withUsualNames([...content.facts, ...inlineFacts(content.body)]);
  const title = headlineOf(content, heads, content.facts);
  const links = alertLinks(content, heads);
  const { fields } = fromLabels(firsts(facts));
  const scope = scopeOf(heads);
  const service = fields.service ?? statedValue(content.facts, 'project') ?? scope.service;
  // Zabbix and Checkmk put the address behind the name.
  const host = fields.host?.replace(/ [[(][^\])]*[\])]$/u, '') ?? scope.host;
  const alertUrl = links[0]?.url ?? null;
  const told = proseDetails(heads, verdict === 'firing');
  return {
    ...emptyAlert('generic'),
    ...fields,
    host: host ?? told.host,
    kind: verdict === 'noted' ? 'not_an_alert' : verdict,
    title,
    description: toDescription(content.body, title),
    severity: fields.severity ?? severityIn(content.facts, heads),
    environment: fields.environment ?? scope.environment,
    service,
    region:
      fields.region ??
      links.map(({ url }) => regionIn(url)).find((region) => region !== null) ??
      regionWord(heads),
    triggeredAt: timeOf(content),
    alertUrl,
    errorType: toTitle(statedValue(facts, ...ERROR_TYPES) ?? '') ?? told.errorType,
    errorMessage:
      verdict === 'noted'
        ? null
        : toErrorMessage(
            statedValue(content.facts, ...ERRORS) ??
              firstCodeBlock(plainText(content.body)) ??
              textBelow(content) ??
              told.errorMessage,
          ),
    tags: tagsOf(content.facts),
    fingerprint: identityOf({ links, title: title ?? '', heads, facts: content.facts, host, service }),
  };
}

/** The first mention of each label: a generic message is about one alert. */
function firsts(facts: readonly Fact[]): Fact[] {
  const seen = new Set<string>();
  return facts.filter(({ name }) => {
    const fresh = !seen.has(normalizedName(name));
    seen.add(normalizedName(name));
    return fresh;
  });
}

function severityIn(facts: readonly Fact[], heads: readonly string[]): Severity | null {
  const states = facts
    .filter(({ name }) => normalizedName(name) === 'state')
    .map(({ value }) => severityOf(value));
  const words = heads.map((head) => {
    const line = withoutMarkup(plainText(head));
    if (/\bneeds attention\b/iu.test(line)) return 'medium';
    const [, start, loud, inside, is] =
      /^(?:\[?(\w{2,8})\]?\s?[:\]|-]|([A-Z]{1,8}\d?)(?= \S)|.*\[(\w{2,8})\]|.*\bis (\w{4,8})\b)/u.exec(
        line,
      ) ?? [];
    return severityWord(start ?? loud ?? inside ?? is ?? '');
  });
  const marked = heads
    .slice(0, 3)
    .flatMap((head) => markersOf(withoutMarkup(plainText(head))).map(({ word }) => severityWord(word)));
  // `[FIRING:1] Name (values of its labels)`, the title of Alertmanager's family.
  const labels = heads.flatMap((head) => LABELS.exec(withoutMarkup(plainText(head)))?.[1]?.split(' ') ?? []);
  return (
    highestSeverity(states) ??
    highestSeverity(words) ??
    highestSeverity(marked) ??
    highestSeverity(labels.map(severityWord))
  );
}

function regionWord(heads: readonly string[]): string | null {
  return heads.flatMap((head) => plainText(head).split(/[\s,|()`:;]+/u)).find(isRegion) ?? null;
}

/** A labelled time, or any time in the text; otherwise the attachment's own timestamp. */
function timeOf(content: MessageContent): string | null {
  for (const { name, value } of content.facts) {
    const [found, zone] = TIME.exec(name.toLowerCase()) ?? [];
    const time = found === undefined ? null : timestampIn(value, zone);
    if (time) return time;
  }
  const sent = content.attachments.find(({ ts }) => ts !== null)?.ts ?? Number.NaN;
  return timestampIn(withoutUrls(content.body)) ?? isoTimestamp(sent * 1000);
}

/** An attachment's first paragraph below its title. */
function textBelow({ attachments }: MessageContent): string | null {
  const text = attachments.find((part) => part.title !== '' && part.text.trim() !== '')?.text;
  if (text === undefined || factsOf(text).length > 1) return null;
  return withoutMarkup(plainText(text.split('\n\n', 1)[0] ?? ''));
}

function tagsOf(facts: readonly Fact[]): string[] {
  const value = statedValue(facts, 'tags', 'event tags', 'labels') ?? '';
  return value.includes('\n') ? tagLines(value) : tagWords(value);
}

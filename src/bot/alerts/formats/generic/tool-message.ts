import { blank } from '../../empty-alert.ts';
import { type Fact, factsOf, nameOf } from '../../facts.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import { isRegion, regionIn } from '../../hosts-and-regions.ts';
import type { Reading } from '../../message-content.ts';
import { gravest, severityOf, severityWord } from '../../severity.ts';
import { bare, codeIn, plain, withoutUrls } from '../../slack-text.ts';
import { tagLines, tagWords } from '../../tags.ts';
import { isoTime, timeIn } from '../../timestamps.ts';
import type { Alert, Severity } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';
import { headlineOf } from './headline.ts';
import { headsOf } from './leading-lines.ts';
import { identityOf } from './identity.ts';
import { pagesOf } from './alert-links.ts';
import { logFactsOf } from './structured-text.ts';
import { marksOf } from './state-markers.ts';
import { inline, scopeOf, usualNames } from './scope.ts';
import { toldIn } from './prose-details.ts';
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
/** Any tool's message. What states no problem, no end and no acknowledgement is no alert. */
export function extractTools(message: Reading): Alert {
  const reading = { ...message, facts: usualNames([...message.facts, ...logFactsOf(message.body)]) };
  const heads = headsOf(reading);
  const verdict = verdictOf(reading, heads, reading.facts);
  if (verdict === 'none') return blank('generic');

  const facts = usualNames([...reading.facts, ...inline(reading.body)]);
  const title = headlineOf(reading, heads, reading.facts);
  const links = pagesOf(reading, heads);
  const { fields } = fromLabels(firsts(facts));
  const scope = scopeOf(heads);
  const service = fields.service ?? statedValue(reading.facts, 'project') ?? scope.service;
  // Zabbix and Checkmk put the address behind the name.
  const host = fields.host?.replace(/ [[(][^\])]*[\])]$/u, '') ?? scope.host;
  const alertUrl = links[0]?.url ?? null;
  const told = toldIn(heads, verdict === 'firing');
  return {
    ...blank('generic'),
    ...fields,
    host: host ?? told.host,
    kind: verdict === 'noted' ? 'not_an_alert' : verdict,
    title,
    description: descriptionOf(reading.body, title),
    severity: fields.severity ?? severityIn(reading.facts, heads),
    environment: fields.environment ?? scope.environment,
    service,
    region:
      fields.region ??
      links.map(({ url }) => regionIn(url)).find((region) => region !== null) ??
      regionWord(heads),
    triggeredAt: timeOf(reading),
    alertUrl,
    errorType: titleOf(statedValue(facts, ...ERROR_TYPES) ?? '') ?? told.errorType,
    errorMessage:
      verdict === 'noted'
        ? null
        : messageOf(
            statedValue(reading.facts, ...ERRORS) ??
              codeIn(plain(reading.body)) ??
              textBelow(reading) ??
              told.errorMessage,
          ),
    tags: tagsOf(reading.facts),
    fingerprint: identityOf({ links, title: title ?? '', heads, facts: reading.facts, host, service }),
  };
}

/** The first mention of each label: a generic message is about one alert. */
function firsts(facts: readonly Fact[]): Fact[] {
  const seen = new Set<string>();
  return facts.filter(({ name }) => {
    const fresh = !seen.has(nameOf(name));
    seen.add(nameOf(name));
    return fresh;
  });
}

function severityIn(facts: readonly Fact[], heads: readonly string[]): Severity | null {
  const states = facts.filter(({ name }) => nameOf(name) === 'state').map(({ value }) => severityOf(value));
  const words = heads.map((head) => {
    const line = bare(plain(head));
    if (/\bneeds attention\b/iu.test(line)) return 'medium';
    const [, start, loud, inside, is] =
      /^(?:\[?(\w{2,8})\]?\s?[:\]|-]|([A-Z]{1,8}\d?)(?= \S)|.*\[(\w{2,8})\]|.*\bis (\w{4,8})\b)/u.exec(
        line,
      ) ?? [];
    return severityWord(start ?? loud ?? inside ?? is ?? '');
  });
  const marked = heads
    .slice(0, 3)
    .flatMap((head) => marksOf(bare(plain(head))).map(({ word }) => severityWord(word)));
  // `[FIRING:1] Name (values of its labels)`, the title of Alertmanager's family.
  const labels = heads.flatMap((head) => LABELS.exec(bare(plain(head)))?.[1]?.split(' ') ?? []);
  return gravest(states) ?? gravest(words) ?? gravest(marked) ?? gravest(labels.map(severityWord));
}

function regionWord(heads: readonly string[]): string | null {
  return heads.flatMap((head) => plain(head).split(/[\s,|()`:;]+/u)).find(isRegion) ?? null;
}

/** A time with a label, or anywhere in the words; else when a tool says it sent the attachment. */
function timeOf(reading: Reading): string | null {
  for (const { name, value } of reading.facts) {
    const [found, zone] = TIME.exec(name.toLowerCase()) ?? [];
    const time = found === undefined ? null : timeIn(value, zone);
    if (time) return time;
  }
  const sent = reading.attachments.find(({ ts }) => ts !== null)?.ts ?? Number.NaN;
  return timeIn(withoutUrls(reading.body)) ?? isoTime(sent * 1000);
}

/** An attachment's first paragraph below its title. */
function textBelow({ attachments }: Reading): string | null {
  const text = attachments.find((part) => part.title !== '' && part.text.trim() !== '')?.text;
  if (text === undefined || factsOf(text).length > 1) return null;
  return bare(plain(text.split('\n\n', 1)[0] ?? ''));
}

function tagsOf(facts: readonly Fact[]): string[] {
  const value = statedValue(facts, 'tags', 'event tags', 'labels') ?? '';
  return value.includes('\n') ? tagLines(value) : tagWords(value);
}

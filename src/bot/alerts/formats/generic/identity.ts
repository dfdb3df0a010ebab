import { workloadOf } from '../../details.ts';
import { type Fact, factNamed, normalizedName } from '../../facts.ts';
import { fingerprintOf } from '../../identity.ts';
import type { MessageContent } from '../../message.ts';
import { type Link, linksOf, plainText, withoutMarkup } from '../../slack-text.ts';
import {
  FAILING,
  GOOD,
  NOT_NAMES,
  NOT_NAMES_FOREIGN,
  NOT_OBJECT_FIELDS,
  NUMBERED,
  OBJECT_FIELDS,
  REASON,
  RECOVERED,
} from './vocabulary.ts';

/** A page per incident. */
const EPISODE =
  /\/(?:issues?|incidents?|problems?|cases?|pages|outages?|detail|details|cloaked)\/(?=[\w.-]*\d)[\w.-]{2,120}/u;
/** A page per rule, which may apply to many hosts. */
const RULE =
  /\/(?:alerts?|alarms?|monitors?|rules?|checks?|triggers?|policies|detectors?|slos?|probes?|conditions?|dashboard|tests|sensors?|synthetics?)\/(?=[\w.-]*\d)[\w.-]{2,120}/u;
const EPISODES =
  /[?&;#](?:eventid|pid|incident(?:_?id)?|problem(?:_?id)?|case(?:_?id)?|issue(?:_?id)?)=[\w.-]{1,120}/giu;
const RULES =
  /[?&;#](?:triggerid|alert(?:_?id)?|alarm(?:_?id)?|monitor(?:_?id)?|rule(?:_?(?:id|uid))?|check(?:_?id)?|policy(?:_?id)?|detector(?:_?id)?|slo(?:_?id)?|probe(?:_?id)?)=[\w.-]{1,120}/giu;
/** Incident numbers, the same for an alert and its recovery. */
const INCIDENT_NUMBER =
  /\b(?:(?:incident|problem|case|outage)(?: id| no\.?| number)?[\s:#]{1,3}#?(?=[\w-]{0,12}\d)([\w-]{2,40})|((?:INC|PROB|CASE|SEV|OUTAGE|PRB)-?\d{2,12}))\b/iu;
const NUMBER_FIELDS = /^(?:incident|problem|case)(?: (?:id|no|number|key|#))?$/u;

/** How many lines below a title may identify the alert. */
const LINES = 4;
const LONGEST_VALUE = 80;

/** The incident or rule that a URL identifies; otherwise `null`. */
function objectOf(url: string): string | null {
  return episodeOf(url) ?? named(url, RULE, RULES);
}

function episodeOf(url: string): string | null {
  return named(url, EPISODE, EPISODES);
}

function named(url: string, path: RegExp, parameters: RegExp): string | null {
  const place = path.exec(url)?.[0] ?? '';
  const stated = [...url.matchAll(parameters)].map(([text]) => text.slice(1)).sort();
  const host = /^https?:\/\/([^/]+)/u.exec(url)?.[1] ?? '';
  return place === '' && stated.length === 0 ? null : [host, place, ...stated].join(' ');
}

/** The parts of an alert that its identity may come from. */
interface Subject {
  links: readonly Link[];
  title: string;
  /** In mrkdwn, from `leadingLines`. */
  heads: readonly string[];
  facts: readonly Fact[];
  host: string | null;
  service: string | null;
}

/**
 * The identity of the alert: the incident in its URL or its number; otherwise the rule in its URL, with host and service;
 * otherwise the names in its title and fields, without states, measurements, times and reasons.
 */
export function identityOf({ links, title, heads, facts, host, service }: Subject): string {
  const urls = links.map(({ url }) => url);
  const episode = urls.map(episodeOf).find((found) => found !== null);
  if (episode) return fingerprintOf('generic', 'object', episode);
  const number = numberIn(title, heads, facts);
  if (number !== null) return fingerprintOf('generic', 'number', number);
  const where = [host ?? '', service ?? ''].map((name) => name.toLowerCase());
  const rule = urls.map(objectOf).find((found) => found !== null);
  if (rule) return fingerprintOf('generic', 'rule', rule, ...where);
  const stated = [...facts.flatMap(namesInFact), ...where.flatMap(namesIn)];
  const names = new Set([...namesOf(title, heads, stated), ...stated]);
  return fingerprintOf('generic', 'name', ...[...names].sort());
}

function numberIn(title: string, heads: readonly string[], facts: readonly Fact[]): string | null {
  const field = facts.find(
    ({ name, value }) => NUMBER_FIELDS.test(normalizedName(name)) && /^#?[\w-]{0,40}\d[\w-]*$/u.test(value),
  );
  if (field) return field.value.replace(/^#/u, '').toLowerCase();
  const [, behind, alone] =
    INCIDENT_NUMBER.exec(`${title}\n${heads.slice(0, 2).map(plainText).join('\n')}`) ?? [];
  return (behind ?? alone)?.toLowerCase() ?? null;
}

/** The names in the title; if neither it nor a field names anything, those in the lines below it. */
function namesOf(title: string, heads: readonly string[], stated: readonly string[]): string[] {
  const names = namesIn(title);
  if (stated.length > 0 || namesThing(title)) return names;
  for (const head of heads.slice(0, LINES)) {
    const below = namesIn(plainText(head)).filter((name) => names.length === 0 || IDENTIFIER.test(name));
    if (below.some((name) => !names.includes(name))) return [...names, ...below];
  }
  return names;
}

/** The names in a field that identifies something: `Queue: invoices`, not `Database: connection refused`. */
function namesInFact({ name, value }: Fact): string[] {
  const label = normalizedName(name);
  if (!OBJECT_FIELDS.test(label) || NOT_OBJECT_FIELDS.has(label) || value.length > LONGEST_VALUE) return [];
  const words = value.split(/\s+/u);
  const names = namesIn(value);
  return words.length <= 4 && names.length >= words.length - 1 ? names : [];
}

const TIME =
  /\b\d{4}[-./]\d{2}[-./]\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d{1,9})?\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?|\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d{1,6})?\b/gu;
/** One-off numbers: runs, builds, attempts, and generated ids. */
const ONCE =
  /\b(?:run|build|attempt|try|event|execution|exec|id|pid|session id|request|trace|delivery|invocation|revision|rev|seq|no\.?|nr\.?|ref|correlation id)[\s:=#]{1,3}(?=[\w-]{0,40}\d)[\w-]{1,60}|#\d+\b|\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b|\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{12,64}\b/giu;
/** Source addresses differ each time. */
const SOURCE = /\b(?:from|by|source|src|client)(?: ip)?[ :=]{1,2}(?:\d{1,3}\.){3}\d{1,3}\b/giu;
const LENGTH =
  /\b\d+(?:[.,]\d+)? ?(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|tagen?|stunden?|minuten|sekunden|jours?|heures?|días?|horas?|minutos)\b(?: ?\d+ ?(?:m|min|s|sec|h)\b){0,3}/giu;
const READING =
  /(?<![\p{L}\d_./-])[-+~≈<>=≥≤]{0,2} ?[$€£¥]?(?!\d{1,3}(?:\.\d{1,3}){3}(?![\d.]))\d[\d.,]*(?:\s?\/\s?\d[\d.,]*)?(?: of \d[\d.,]*)? ?(?:%|‰|°[CFK]?|[x×](?!\w)|[kKM](?![\p{L}])(?: [a-z]{1,12}\/(?:s|sec|second|m|min|minute|h|hour|day)\b)?|(?:[kKMGTP]i?[Bb](?:ps|\/s)?|B|bytes|ms|[kM]?bps|[MGk]Hz|rpm|qps|rps|iops|ppm|dBm?|dB|V|A|kW|kWh|W|bar|hPa|psi|mm|cm|m\/s|km\/h|l\/min|EUR|USD|GBP|usd|eur)(?![\p{L}])|[a-z]{1,12}\/(?:s|sec|second|m|min|minute|h|hour|day)\b|\/(?:s|sec|second|min|m|minute|h|hour|day)\b)?(?![\p{L}\d_-]|\.\d)/gu;
/** Counts: `17 messages`, `all upstreams`. */
const COUNTED =
  /(?<![\p{L}\d_./-])(?:\d[\d.,]{0,12}(?: of (?:the )?\d[\d.,]{0,12}|\/\d{1,9})?[kKM]?|all|one|two|three|four|five|some|several|many|few) (?:(?:unassigned|failed|failing|new|open|active|pending|consecutive|more) )?[a-z]{2,20}s(?![\p{L}\d_-]|\/[a-z])/gu;
/** The end of a clause; what follows may be missing in the recovery. */
const BREAKS =
  /([:;,!?|()[\]]+(?=\s|$|[[(])|\.(?=\s|$)| [-–—·/]+ |[([]|：|→|->|=>| (?:than|because|due to|while|caused by|which|after) )/u;
/** Not an ordinary word: `orders-db`, `web3`, `api.acme.example`, `HeapUsed`. */
const IDENTIFIER = /[\p{L}\d][-_./@:][\p{L}\d]|[\p{L}]\d|\p{Ll}\p{Lu}|\d\p{L}/u;
const LONGEST = 400;
const MOST = 24;

/** The words of a line that name its subject, each once: without states, measurements, times and reasons. */
export function namesIn(line: string): string[] {
  const found = new Set<string>();
  let told = false;
  let named = false;
  const clauses = withoutReadings(line.slice(0, LONGEST)).split(BREAKS);
  for (let at = 0; at < clauses.length; at += 2) {
    const clause = clauses[at] ?? '';
    if (found.size > 0 && isReason(clause, told, named)) break;
    const before = found.size;
    // Behind `db-3 is` only another name counts, or what is said of where: `down on node 4`.
    let open = true;
    for (const { word, kept, id } of wordsOf(clause)) {
      const name = kept && id;
      if (kept && (open || name || MEASURED.has(word))) found.add(word);
      named ||= name;
      // What follows an error's name is its message.
      if (/(?:error|exception)$/u.test(word) && name) told = true;
      const state = !kept && before + found.size > 0 && isState(word);
      told ||= state;
      if (PLACES.has(word)) open = true;
      else if ((state || COPULAS.has(word)) && named) open = false;
    }
  }
  return [...found].slice(0, MOST);
}

/** Whether the text after `db-3 is down:` is the reason rather than another name. */
function isReason(clause: string, told: boolean, named: boolean): boolean {
  if (REASON.test(clause) && !IDENTIFIER.test(clause.replace(REASON, ''))) return true;
  return told && (named || !wordsOf(clause).some(({ kept, id }) => kept && id));
}

const BINDING = new Set(
  'no is are was were be been has have had the a an of in on at for from to by with and or it its this that as per via service host server check monitor test p50 p90 p95 p99 rate usage value level count free new alert alarm current currently last next'.split(
    ' ',
  ),
);

/** What is measured is always part of the name. */
const MEASURED = new Set(
  'cpu memory disk heap swap latency queue connection load temperature humidity pressure lag backlog disk space inode battery bandwidth thread request log certificate replication transaction deadlock lock session cache index partition volume raid fan psu voltage power network dns disk'.split(
    ' ',
  ),
);
const COPULAS = new Set('is are was were has have had ist sind hat est sont a está'.split(' '));
/** Words before a place. */
const PLACES = new Set('on in for from at auf für de sur pour en'.split(' '));

/** Whether a word is a state rather than a function word. */
function isState(word: string): boolean {
  return !BINDING.has(word);
}

/** Whether a line has a name that is not an ordinary word. */
function namesThing(line: string): boolean {
  return wordsOf(withoutReadings(line.slice(0, LONGEST))).some(({ kept, id }) => kept && id);
}

interface Word {
  /** In lower case; a name in its canonical form. */
  word: string;
  kept: boolean;
  /** Not an ordinary word. */
  id: boolean;
}

function wordsOf(clause: string): Word[] {
  const words = clause.match(/[\p{L}\d][\p{L}\p{M}\d_.@/-]*(?::\d+)?(?:=[^\s,;]+)?/gu) ?? [];
  return words.flatMap((written, at) => {
    const [key = '', value] = written.split('=', 2);
    if (value !== undefined && !OBJECT_FIELDS.test(normalizedName(key))) return [];
    const word = (value ?? key).replace(/[.\-/]+$/u, '').toLowerCase();
    if (/^\d+$/u.test(word)) {
      const noun = (words[at - 1] ?? '').toLowerCase();
      return NUMBERED.has(noun) ? [{ word: `${noun} ${word}`, kept: true, id: true }] : [];
    }
    const kept = isName(word);
    return [{ word: kept ? nameFor(word) : word, kept, id: IDENTIFIER.test(value ?? key) }];
  });
}

function isName(word: string): boolean {
  if (
    NOT_NAMES.has(word) ||
    NOT_NAMES_FOREIGN.has(word) ||
    /^(?:p[0-5]|sev-?[0-5]|v?\d+\.\d+(?:\.\d+)?)$/u.test(word)
  )
    return false;
  if (IDENTIFIER.test(word)) return !word.split(/[_-]/u).every((part) => NOT_NAMES.has(part));
  return !(FAILING.test(word) || RECOVERED.test(word) || GOOD_WORD.test(word));
}

const GOOD_WORD = new RegExp(`^(?:${GOOD})$`, 'u');

/** The canonical form of a name: a pod's workload, the singular. */
function nameFor(word: string): string {
  if (IDENTIFIER.test(word)) return word.split('/').map(workloadOf).join('/');
  return /[^s]s$/u.test(word) && word.length > 4 ? word.slice(0, -1) : word;
}

function withoutReadings(line: string): string {
  return (
    withoutMarkup(line)
      .replace(TIME, ' ')
      .replace(SOURCE, ' ')
      .replace(ONCE, ' ')
      .replace(LENGTH, ' ')
      .replace(COUNTED, ' ')
      // A number behind a noun that has numbers is a name: `Freezer 3`, `rack 12`.
      .replace(READING, (whole) => (/^\s?\d{1,4}\s?$/u.test(whole) ? whole : ' '))
  );
}

const STATED = [
  'link to alarm',
  'link to event',
  'link',
  'url',
  'alert url',
  'details',
  'service',
  'host',
  'resource',
];
const OPENS = /\b(?:view|open|see|show|visit|details?|investigate|alert|incident|issue|problem|monitor)\b/iu;
const ELSEWHERE =
  /\b(?:silence|snooze|mute|runbook|playbook|acknowledge|resolve|settings|unsubscribe|site)\b/iu;

/** The links that may be the alert's own page, the likeliest first. A monitored URL in the text does not count. */
export function alertLinks(content: MessageContent, heads: readonly string[]): Link[] {
  const titles = content.attachments.flatMap(({ title_link }) =>
    title_link.startsWith('http') ? [{ url: title_link, label: null }] : [],
  );
  const stated = factNamed(
    content.facts.filter(({ url }) => url !== null),
    ...STATED,
  )?.url;
  const inHeads = heads.flatMap((head) => linksOf(head).filter(isPage));
  const buttons = content.buttons.filter(
    ({ label }) => OPENS.test(label ?? '') && !ELSEWHERE.test(label ?? ''),
  );
  return [
    ...titles,
    ...inHeads.filter(({ url }) => objectOf(url) !== null),
    ...(stated ? [] : inHeads),
    ...(stated ? [{ url: stated, label: null }] : []),
    ...buttons,
    ...content.attachments.flatMap(({ footer }) =>
      linksOf(footer).filter(({ label }) => OPENS.test(label ?? '')),
    ),
    ...alone(content.body),
    ...linksOf(content.body).filter(({ label }) => OPENS.test(label ?? '') && !ELSEWHERE.test(label ?? '')),
  ];
}

/** A URL that Slack turned into a link is the monitored one. */
function isPage({ url, label }: Link): boolean {
  return (
    label !== null && !ELSEWHERE.test(label) && !url.endsWith(`//${label}`) && !url.endsWith(`//${label}/`)
  );
}

/** Links on a line of their own, or in Markdown: `[View](<url>)`. */
function alone(body: string): Link[] {
  return body
    .split('\n')
    .flatMap((line) =>
      /^\s*(?:\[[^\]\n]{1,80}\]\()?<https?:[^<>\n]*>\)?\s*$/u.test(line) ? linksOf(line) : [],
    );
}

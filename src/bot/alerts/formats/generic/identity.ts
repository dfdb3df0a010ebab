import { type Fact, nameOf } from '../../facts.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { type Link, plain } from '../../slack-text.ts';
import { IDENTIFIER, namesIn, namesThing } from './names.ts';
import { NOT_OBJECT_FIELDS, OBJECT_FIELDS } from './vocabulary/identity.ts';

/** A thing of its own for each problem. */
const EPISODE =
  /\/(?:issues?|incidents?|problems?|cases?|pages|outages?|detail|details|cloaked)\/(?=[\w.-]*\d)[\w.-]{2,120}/u;
/** A thing of its own for each rule, which may hold for many hosts. */
const RULE =
  /\/(?:alerts?|alarms?|monitors?|rules?|checks?|triggers?|policies|detectors?|slos?|probes?|conditions?|dashboard|tests|sensors?|synthetics?)\/(?=[\w.-]*\d)[\w.-]{2,120}/u;
const EPISODES =
  /[?&;#](?:eventid|pid|incident(?:_?id)?|problem(?:_?id)?|case(?:_?id)?|issue(?:_?id)?)=[\w.-]{1,120}/giu;
const RULES =
  /[?&;#](?:triggerid|alert(?:_?id)?|alarm(?:_?id)?|monitor(?:_?id)?|rule(?:_?(?:id|uid))?|check(?:_?id)?|policy(?:_?id)?|detector(?:_?id)?|slo(?:_?id)?|probe(?:_?id)?)=[\w.-]{1,120}/giu;
/** What tools number: the same number from the beginning to the end. */
const NUMBERED =
  /\b(?:(?:incident|problem|case|outage)(?: id| no\.?| number)?[\s:#]{1,3}#?(?=[\w-]{0,12}\d)([\w-]{2,40})|((?:INC|PROB|CASE|SEV|OUTAGE|PRB)-?\d{2,12}))\b/iu;
const NUMBER_FIELDS = /^(?:incident|problem|case)(?: (?:id|no|number|key|#))?$/u;

/** Where a title says too little, the lines below it do. */
const LINES = 4;
const LONGEST = 80;

/** What an alert's page is about, where its address names a thing of its own; else `null`. */
export function objectOf(url: string): string | null {
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

/** What is known of an alert when its identity is asked for. */
interface Subject {
  links: readonly Link[];
  title: string;
  /** mrkdwn, as headsOf gives them. */
  heads: readonly string[];
  facts: readonly Fact[];
  host: string | null;
  service: string | null;
}

/**
 * The identity of the problem: the incident that the alert's page or its number names; else the rule that the page is
 * of, and where it holds; else the names in its title, without state, readings, times and reasons, and in its fields.
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
    ({ name, value }) => NUMBER_FIELDS.test(nameOf(name)) && /^#?[\w-]{0,40}\d[\w-]*$/u.test(value),
  );
  if (field) return field.value.replace(/^#/u, '').toLowerCase();
  const [, behind, alone] = NUMBERED.exec(`${title}\n${heads.slice(0, 2).map(plain).join('\n')}`) ?? [];
  return (behind ?? alone)?.toLowerCase() ?? null;
}

/** The names in the title, and where neither it nor a field names a thing, those that the lines below it name. */
function namesOf(title: string, heads: readonly string[], stated: readonly string[]): string[] {
  const names = namesIn(title);
  if (stated.length > 0 || namesThing(title)) return names;
  for (const head of heads.slice(0, LINES)) {
    const below = namesIn(plain(head)).filter((name) => names.length === 0 || IDENTIFIER.test(name));
    if (below.some((name) => !names.includes(name))) return [...names, ...below];
  }
  return names;
}

/** What a field names, where it names a thing: `Queue: invoices`, not `Database: connection refused`. */
function namesInFact({ name, value }: Fact): string[] {
  const label = nameOf(name);
  if (!OBJECT_FIELDS.test(label) || NOT_OBJECT_FIELDS.has(label) || value.length > LONGEST) return [];
  const words = value.split(/\s+/u);
  const names = namesIn(value);
  return words.length <= 4 && names.length >= words.length - 1 ? names : [];
}

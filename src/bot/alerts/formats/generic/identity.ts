import { conditionIn } from '../../compounds.ts';
import { type Fact, factNamed, factsOf, normalizedName, wordsOfKey } from '../../facts.ts';
import { fingerprintOf } from '../../identity.ts';
import type { MessageContent } from '../../message.ts';
import { identifiersIn, namesIn } from '../../names.ts';
import { type Link, linksOf, plainText, withoutMarkup, withoutUrls } from '../../slack-text.ts';
import type { Alert } from '../../types.ts';
import { fingerprintOfBasis, identifyingOf, kindOf, shownBasis, valuesOf } from '../../values.ts';
import { NOTED_LOUD } from '../../vocabulary.ts';

/** A page per incident, which one per run is not. */
const EPISODE =
  /(?<!\/(?:executions?|runs?|builds?|jobs?|pipelines?))\/(?:issues?|incidents?|problems?|cases?|pages|outages?|detail|details|cloaked)\/(?=[\w.-]*\d)[\w.-]{2,120}/u;
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
  /** What the sender's card names beside its text: {@link signedObjects}. */
  signed: readonly string[];
  /** Who sends it, and where. */
  source: string;
}

/**
 * The object that tools put into an attachment's author or footer (`kustomization/apps.flux-system`, a project), and the
 * project in its link. A name of several words is a person's or a tool's.
 */
export function signedObjects({ attachments }: MessageContent): string[] {
  return attachments.flatMap(({ author_name, footer, title_link }) => {
    const project = /^https?:\/\/[^/]+\/(.{1,200}?)\/-\//u.exec(title_link)?.[1];
    const author = /^[\w.-]+\/[\w./-]+$/u.test(author_name) ? [author_name] : [];
    return [
      ...author,
      ...(project === undefined ? [] : [project]),
      ...(/\s/u.test(footer) ? [] : namesIn(footer)),
    ];
  });
}

/**
 * The identity of the alert: the incident in its URL or its number; otherwise what of its values does not change while it
 * goes on, with the rule in its URL; `null` if it names nothing.
 */
export function identityOf({
  links,
  title,
  heads,
  facts,
  host,
  service,
  signed,
  source,
}: Subject): Pick<Alert, 'fingerprint' | 'basis'> | null {
  const urls = links.map(({ url }) => url);
  const episode = urls.map(episodeOf).find((found) => found !== null);
  if (episode) return { fingerprint: fingerprintOf('generic', 'object', episode) };
  const number = numberIn(title, heads, facts);
  if (number !== null) return { fingerprint: fingerprintOf('generic', 'number', number) };
  const rule = urls.map(objectOf).find((found) => found !== null);
  const fields = identifyingOf(facts.map(({ name, value }) => ({ key: wordsOfKey(name), text: value })));
  const stated = [
    ...fields.by,
    ...valuesOf('host', namesIn((host ?? '').toLowerCase())),
    ...valuesOf('service', namesIn((service ?? '').toLowerCase())),
    ...valuesOf('author', signed),
  ];
  const conditions = heads
    .map((head) => withoutMarkup(plainText(head)))
    .filter((head) => !head.includes(title))
    .flatMap((head) => conditionIn(head) ?? []);
  const titled = rule ? [] : valuesOf('title', namesIn(title));
  const below = rule ? [] : valuesOf('text', textNames(title, heads, [host, service]));
  const by = [...titled, ...stated, ...below, ...valuesOf('condition', conditions)];
  if (!rule && by.length === 0) return null;
  const basis = { source, of: ['generic', ...(rule ? ['rule', rule] : ['name'])], by, left: fields.left };
  return { fingerprint: fingerprintOfBasis(basis), basis: shownBasis(basis) };
}

/**
 * The names that only the text below a title has: where the title is of words, or of a rule, the object is there; where it
 * is the host, the problem is.
 */
function textNames(title: string, heads: readonly string[], where: readonly (string | null)[]): string[] {
  const places = where.flatMap((name) => namesIn((name ?? '').toLowerCase()));
  const below = heads
    .filter(
      (head) => factsOf(head).length === 0 && kindOf(plainText(head)) !== 'state' && !NOTED_LOUD.test(head),
    )
    .map(withoutUrls);
  const objects = namesObject(title) || places.length > 0 ? [] : below.flatMap(identifiersIn);
  const isPlace = namesIn(title).every((name) => places.includes(name));
  const problem = isPlace
    ? below.map(namesIn).find((names) => names.some((name) => !places.includes(name)))
    : [];
  return [...objects, ...(problem ?? [])];
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

/** Whether a line names an object rather than a rule: `web-7`, but not `HighErrorRate`. */
function namesObject(line: string): boolean {
  return identifiersIn(line).some((name) => /[\d\-_./@]/u.test(name));
}

const STATED = (
  'link to alarm, log url, logs, link to event, link, url, alert url, details, service, host, ' + 'resource'
).split(', ');
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
  const opens = ({ label }: Link) => OPENS.test(label ?? '') && !ELSEWHERE.test(label ?? '');
  return [
    ...titles,
    ...inHeads.filter(({ url }) => objectOf(url) !== null),
    ...(stated ? [{ url: stated, label: null }] : inHeads),
    ...content.buttons.filter(opens),
    ...alone(content.body),
    ...linksOf(content.body).filter(opens),
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

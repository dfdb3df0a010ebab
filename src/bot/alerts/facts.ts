import { linksOf, plainText, truncateMrkdwn } from './slack-text.ts';
import { highestSeverity, severityOf } from './state.ts';
import { timestampIn } from './timestamps.ts';
import type { Alert } from './types.ts';
import { SYNONYMS } from './vocabulary.ts';

/** A labeled value of a message: `*Severity:* high`, ` - env = prod`, a field of an attachment. */
export interface Fact {
  /** As written. Compare with {@link normalizedName}. */
  name: string;
  value: string;
  /** The first link of the value. */
  url: string | null;
}

const MAX_LINES = 1_000;
const MAX_LINE = 4_000;
/** Marks of a list, of a quote, and signs in front of a label. */
const BULLET =
  /^(?:[•●▪◦∙‣*–—-]\s+|(?:>|&gt;) ?|(?::[\w+-]{2,40}:|\p{Extended_Pictographic}\u{FE0F}?) ?(?=[\p{L}*])){1,4}/u;
const LABEL = /^\p{L}[\p{L}\p{M}\w .()/#&+-]{0,39}$/u;

/** A label's name for comparison: `server_name`, `Server name` and `server-name` are the same. */
export function normalizedName(label: string): string {
  return label
    .toLowerCase()
    .replace(/[\s_.-]+/gu, ' ')
    .trim();
}

/** `alertRule`, `alert_rule` and `AlertRule` are `alert rule`. */
export function wordsOfKey(key: string): string {
  const apart = key.slice(0, 100).replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
  return normalizedName(apart);
}

/** A fact from a label and its value in mrkdwn. */
export function toFact(name: string, mrkdwn: string): Fact {
  return {
    name: name.trim(),
    value: unwrapped(plainText(mrkdwn).trim()),
    url: linksOf(mrkdwn)[0]?.url ?? null,
  };
}

/** Every labeled value in a mrkdwn text, in order, without the prose around them. Values are plain text. */
export function factsOf(mrkdwn: string): Fact[] {
  const drafts: Draft[] = [];
  for (const line of mrkdwn.split('\n', MAX_LINES)) readLine(truncateMrkdwn(line, MAX_LINE).trim(), drafts);
  return drafts.filter(({ raw }) => raw !== '').map(({ name, raw }) => toFact(name, raw));
}

interface Draft {
  name: string;
  raw: string;
  /** The value of a bold label, or of one alone on its line, may continue on the next lines. */
  open: boolean;
}

function readLine(line: string, drafts: Draft[]): void {
  const above = drafts.at(-1);
  if (line === '') {
    if (above?.raw) above.open = false;
    return;
  }
  let before: Draft | undefined = above?.open ? above : undefined;
  let glue = '\n';
  // Two or more spaces separate labels on the same line.
  for (const piece of line.replace(BULLET, '').split(/ {2,}|\t/u)) {
    const found = labelled(piece.trim());
    if (found) drafts.push(found);
    else if (before) append(before, piece.trim(), glue);
    if (found) before = found;
    glue = ' ';
  }
}

function append(draft: Draft, text: string, glue: string): void {
  if (text !== '') draft.raw = draft.raw === '' ? text : `${draft.raw}${glue}${text}`;
}

function labelled(piece: string): Draft | null {
  return bold(piece.replace(/^\*\*([^*]{1,60})\*\*/u, '*$1*')) ?? quoted(piece) ?? colon(piece);
}

/** `*Label:* value` and `*Label*: value`. */
function bold(piece: string): Draft | null {
  if (!piece.startsWith('*')) return null;
  const end = piece.indexOf('*', 1);
  if (end < 2) return null;
  const inside = piece.slice(1, end).trim();
  const rest = piece.slice(end + 1).trim();
  const name = inside.endsWith(':') ? inside.slice(0, -1).trim() : inside;
  if (name === inside && !rest.startsWith(':')) return null;
  const raw = name === inside ? rest.slice(1).trim() : rest;
  return LABEL.test(name) ? { name, raw, open: true } : null;
}

/** ``severity `critical` ``: a word and a value in backticks. */
function quoted(piece: string): Draft | null {
  const [, name, raw] = /^([A-Za-z][\w./-]{0,60}) (`[^`]+`)$/u.exec(piece) ?? [];
  return name === undefined || raw === undefined ? null : { name, raw, open: false };
}

/** `Label: value` and `label = value`; the colon of a URL does not count. */
function colon(piece: string): Draft | null {
  const equals = / ?= /u.exec(piece.slice(0, 80))?.index ?? -1;
  const colons = /:(?:\s|$)|：/u.exec(piece.slice(0, 80))?.index ?? -1;
  const at = equals >= 0 && (colons < 0 || equals < colons) ? equals : colons;
  if (at <= 0) return null;
  const name = piece.slice(0, at).trim();
  const raw = piece.slice(at).replace(/^ ?[:=：]\s*/u, '');
  // What is set apart behind a sentence is what it is about: `New finding on project: [shop]`.
  const most = /^\[[^[\]]{1,100}\]$/u.test(raw) ? 8 : 4;
  if (!LABEL.test(name) || name.split(' ').length > most) return null;
  return { name, raw, open: raw === '' };
}

const MARKS = ['```', '`', '*', '"'];

function unwrapped(value: string): string {
  for (const mark of MARKS) {
    const inside = value.slice(mark.length, -mark.length);
    if (value.length > 2 * mark.length && value === `${mark}${inside}${mark}` && !inside.includes(mark))
      return inside.trim();
  }
  return value;
}

type Labelled = Pick<
  Alert,
  'severity' | 'environment' | 'service' | 'host' | 'region' | 'version' | 'traceId' | 'spanId'
>;

/** The label names that tools use for a field, the most reliable first, as {@link normalizedName} writes them. */
const NAMES = {
  environment: labels(
    'environment, env, deployment environment, deployment environment name, environment name',
  ),
  service: labels(
    'service, service name, affected service, application, app, app kubernetes io name, impacted entities',
  ),
  host: labels('host, hostname, host name, instance, server name, server, node, nodename'),
  region: labels('region, aws region, affected region, cloud region'),
  version: labels('version, app version, service version, release'),
  traceId: labels('trace id, traceid, trace'),
  spanId: labels('span id, spanid, span'),
};

function labels(names: string): readonly string[] {
  return names.split(', ');
}

/** What runs a service names it where no label is called one. */
const WORKLOADS = ['deployment', 'workload', 'statefulset', 'daemonset'] as const;

export const SEVERITY_NAMES = ['severity', 'priority', 'urgency', 'level', 'alert severity'];

const FIELD_NAMES: ReadonlySet<string> = new Set([
  ...Object.values(NAMES).flat(),
  ...SEVERITY_NAMES,
  ...'alertname summary title description message runbook dashboard'.split(' '),
  ...['runbook url', 'dashboard url'],
]);

/** Whether a label or an annotation of this name says something that an alert has a field for. */
export function isFieldName(name: string): boolean {
  return FIELD_NAMES.has(normalizedName(name));
}

/** The fields of an {@link Alert} that labels state, and the facts they came from. */
export interface LabelFields {
  fields: Labelled;
  used: ReadonlySet<Fact>;
}

/**
 * Reads labels into an alert's fields. A label with different values in one message (a group of alerts) leaves its field
 * `null`; of several severities, the highest counts.
 */
export function fromLabels(facts: readonly Fact[]): LabelFields {
  const used = new Set<Fact>();
  const named = byName(facts);
  const pick = (names: readonly string[], counts = (_: string) => true): string | null => {
    for (const name of names) {
      const found = named.get(name) ?? [];
      const [first] = found;
      if (first === undefined || !counts(first.value)) continue;
      if (found.some(({ value }) => value !== first.value)) continue;
      for (const one of found) used.add(one);
      return first.value;
    }
    return null;
  };
  const severities = facts.filter(({ name }) => SEVERITY_NAMES.includes(normalizedName(name)));
  for (const one of severities) used.add(one);
  const fields: Labelled = {
    severity: highestSeverity(severities.map(({ value }) => severityOf(value))),
    environment: pick(NAMES.environment),
    // What Prometheus scrapes names the service, too, unless it only reports on others.
    service:
      pick(NAMES.service) ?? pick(WORKLOADS) ?? pick(['job'], (job) => !/exporter|metrics/iu.test(job)),
    host: pick(NAMES.host),
    region: pick(NAMES.region),
    version: pick(NAMES.version),
    traceId: pick(NAMES.traceId),
    spanId: pick(NAMES.spanId),
  };
  // What kube-state-metrics reports is of other objects than its own instance.
  const isOfObjects = facts.some(({ name, value }) => name === 'job' && value.includes('kube-state-metrics'));
  return { fields: isOfObjects && !named.has('node') ? { ...fields, host: null } : fields, used };
}

/** The facts whose value is the same in every mention, each once, in order. */
export function consistentFacts(facts: readonly Fact[]): Fact[] {
  return [...byName(facts).values()].flatMap((found) => {
    const [first] = found;
    return first !== undefined && found.every(({ value }) => value === first.value) ? [first] : [];
  });
}

/** The first mention of each label, where a message is about one alert. */
export function firstFacts(facts: readonly Fact[]): Fact[] {
  return [...byName(facts).values()].flatMap(([first]) => first ?? []);
}

/** The value of the first of these names that has one. */
export function statedValue(facts: readonly Fact[], ...names: readonly string[]): string | null {
  return factNamed(facts, ...names)?.value ?? null;
}

/** The first fact with the first of these names that has a value. */
export function factNamed(facts: readonly Fact[], ...names: readonly string[]): Fact | null {
  const named = byName(facts);
  for (const name of names) {
    const found = named.get(name)?.find(({ value }) => value !== '');
    if (found) return found;
  }
  return null;
}

function byName(facts: readonly Fact[]): Map<string, Fact[]> {
  const named = new Map<string, Fact[]>();
  for (const one of facts) {
    // The brace of a nested object is no value.
    if (!/[\p{L}\p{N}]/u.test(one.value)) continue;
    const name = normalizedName(one.name);
    const found = named.get(name);
    if (found) found.push(one);
    else named.set(name, [one]);
  }
  return named;
}

const MAX_TAGS = 50;
const LABEL_NAME = /^[A-Za-z][\w./-]{0,80}$/u;

/** Names that are not labels of the alert: texts, links, and what has a field of its own. */
const NOT_TAGS = new Set(
  (
    'alert alertname name title summary description details message annotations labels value values status state ' +
    'runbook runbook url dashboard panel graph source silence started starts at ends at started at since time ' +
    'receiver team contact notes error reason'
  ).split(' '),
);

/**
 * The labels that no field of the alert holds, as `name:value`. A label with different values within one message is left
 * out: it belongs to a member of the group, not to the group.
 */
export function tagsFrom(labels: readonly Fact[], used: ReadonlySet<Fact>): string[] {
  return consistentFacts(labels)
    .filter((label) => !used.has(label) && isLabel(label))
    .slice(0, MAX_TAGS)
    .map(({ name, value }) => `${/^[A-Z][a-z]+$/u.test(name) ? name.toLowerCase() : name}:${value}`);
}

function isLabel({ name, value, url }: Fact): boolean {
  if (!LABEL_NAME.test(name) || NOT_TAGS.has(normalizedName(name)) || /(?:^|[_.])url$/iu.test(name))
    return false;
  return url === null && value.length <= 200 && !value.includes('\n') && !/^https?:/u.test(value);
}

const MATCHER = /(?:^|[{,])\s*([A-Za-z_]\w*)\s*=~?\s*"((?:[^"\\]|\\.)*)"/gu;

/** The labels in a link that filters by them: Alertmanager's `filter={name="value"}`, Grafana's `matcher=name=value`. */
export function factsInLinks(urls: readonly string[]): Fact[] {
  return urls.flatMap((url) => {
    const query = new URLSearchParams(url.split('?').at(-1) ?? '');
    const matchers = query.getAll('matcher').flatMap((matcher) => {
      const at = matcher.indexOf('=');
      return at > 0 ? [toFact(matcher.slice(0, at), matcher.slice(at + 1))] : [];
    });
    const filters = query
      .getAll('filter')
      .flatMap((filter) =>
        [...filter.matchAll(MATCHER)].map(([, name = '', value = '']) => toFact(name, value)),
      );
    return [...matchers, ...filters].filter(({ name }) => !name.startsWith('__'));
  });
}

/** Tags on lines of their own, as `name: value` or a word; on one line, separated by commas, spaces or backticks. */
export function tagsIn(value: string): string[] {
  const apart = value.includes('\n') ? /\s*\n\s*/u : /[,\s`]+/u;
  return value
    .split(apart)
    .map((tag) => tag.replace(/^([^\s:]{1,100}): +/u, '$1:'))
    .filter((tag) => tag !== '')
    .slice(0, MAX_TAGS);
}

/** What may stand around a label's name: `affected host`, `device name`, `risk level`. */
const AROUND = /^(?:affected|impacted|target|source|alert|monitored) | (?:name|level|affected)$/gu;

/** Adds each fact under its canonical name; a fact that already has that name comes first. */
export function withUsualNames(facts: readonly Fact[]): Fact[] {
  const renamed = facts.flatMap((one) => {
    const label = normalizedName(one.name);
    const bare = label.replace(AROUND, '');
    const usual = SEVERITY_NAMES.includes(bare) ? 'severity' : HOSTS.has(bare) ? 'host' : SYNONYMS.get(bare);
    const name = SYNONYMS.get(label) ?? (bare === label ? undefined : usual);
    // `Location: /var/log/auth.log` is no region.
    const usable = one.value !== '' && !(name === 'region' && /[/\\@]/u.test(one.value));
    return name !== undefined && usable ? [{ ...one, name }] : [];
  });
  return [...facts, ...renamed];
}

const HOSTS: ReadonlySet<string> = new Set([...NAMES.host, 'device', 'computer', 'vm']);

const TIME =
  /^(?:(?:event|start|alert|trigger|triggered|incident|local|problem)? ?time|date|started|started at|starts at|since|triggered at|timestamp)(?: \(([\w/+ -]{3,40})\))?$/u;

/** The first time that a label states: by the clock of the zone that the label names, as `Time (Europe/Berlin)` does. */
export function statedTime(facts: readonly Fact[]): string | null {
  for (const { name, value } of facts) {
    const [found, zone] = TIME.exec(name.toLowerCase()) ?? [];
    const time = found === undefined ? null : timestampIn(value, zone);
    if (time !== null) return time;
  }
  return null;
}

import { z } from 'zod';
import { identifyingLabels, normalizedName } from './facts.ts';
import type { ReceivedAlert } from './format.ts';
import { fingerprintOf } from './identity.ts';
import { namesIn } from './names.ts';
import {
  fromLabelMap,
  isRecord,
  type Labels,
  labelMap,
  labelsOfTags,
  linksTo,
  moment,
  receivedAlert,
  scalarText,
  tagList,
  webUrl,
} from './payload.ts';
import { toErrorMessage, toTitle, withoutMarkup } from './slack-text.ts';
import { severityOf, titledState } from './state.ts';
import { type AlertKind, emptyAlert, type Severity } from './types.ts';
import { NOT_OBJECT_FIELDS, OBJECT_FIELDS } from './vocabulary.ts';
import { markersOf, sentenceState, withoutMarkers } from './wording.ts';

/** What an item of an unknown payload says, before it is an alert; each is empty if it says nothing. */
export interface ItemReading {
  title: unknown;
  description: unknown;
  severity: unknown;
  /** The status that a field map names; it alone decides. */
  status: unknown;
  labels: unknown;
  time: unknown;
  link: unknown;
  /** The identity that the item states for the problem, not for this delivery. */
  fingerprint: unknown;
  service: unknown;
  environment: unknown;
  host: unknown;
  /** Everything that states a state, the most explicit first; words count only where none does. */
  states: readonly (readonly string[])[];
  /** The rule, monitor or check, and the objects: together they identify a problem that states no identity. */
  objects: readonly string[];
}

/** How a tool's own words are to be understood. */
interface ItemVocabulary {
  /** Severities by the tool's words, in lower case. */
  severities: ReadonlyMap<string, Severity>;
  /** The statuses that mean a recovery, in lower case; without any, the usual words count. */
  resolved: readonly string[];
}

export const NO_VOCABULARY: ItemVocabulary = { severities: new Map(), resolved: [] };

/** A value of a payload, by the words of its keys: `data.essentials.alertRule` is `data essentials alert rule`. */
interface Leaf {
  /** The words of its own key. */
  name: string;
  path: string;
  depth: number;
  value: unknown;
}

const MAX_DEPTH = 4;
const MAX_LEAVES = 400;
/** What such a key holds is not the alert's own: people, the tool, labels. */
const ELSEWHERE =
  /^(?:org|organi[sz]ation|account|team|user|author|owner|assignee|actor|sender|receiver|recipient|contact|config|configuration|settings|dashboard|project|repository|backlog|agent|client|links?|labels|tags|attributes|dimensions|metadata)$/u;
const FORMER = /^(?:previous|prior|old|former)\b/u;

function leavesOf(item: Readonly<Record<string, unknown>>): Leaf[] {
  const found: Leaf[] = [];
  let level: { path: string; record: Readonly<Record<string, unknown>> }[] = [{ path: '', record: item }];
  for (let depth = 0; depth < MAX_DEPTH && found.length < MAX_LEAVES; depth += 1) {
    const below: typeof level = [];
    for (const { path, record } of level) {
      for (const [key, value] of Object.entries(record)) {
        const name = wordsOfKey(key);
        if (FORMER.test(name)) continue;
        const leaf = { name, path: `${path} ${name}`.trim(), depth, value };
        found.push(leaf);
        if (isRecord(value) && (!ELSEWHERE.test(name) || isMachine(name, value)))
          below.push({ path: leaf.path, record: value });
      }
    }
    level = below;
  }
  return found.slice(0, MAX_LEAVES);
}

/** An agent may be a person, or the program on a machine, which has an address. */
function isMachine(name: string, value: Readonly<Record<string, unknown>>): boolean {
  return name === 'agent' && ['ip', 'host', 'hostname'].some((key) => Object.hasOwn(value, key));
}

/** `alertRule`, `alert_rule` and `AlertRule` are `alert rule`. */
function wordsOfKey(key: string): string {
  const apart = key.slice(0, 100).replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
  return normalizedName(apart);
}

const KINDS =
  'alert|alarm|rule|check|monitor|event|problem|incident|issue|condition|policy|trigger|test|job|definition|detector|probe|search|context';
/** Expressions for paths that end in these words, in order; behind `^`, for whole paths. */
function paths(names: string): RegExp[] {
  return names.split(', ').map((name) => new RegExp(`${name.startsWith('^') ? '' : '(?:^| )'}${name}$`, 'u'));
}

/** The usual names of each part, the most reliable first. */
const USUAL = {
  title: paths(
    `title, alert ?name, (?:${KINDS}) ?(?:rule|(?:friendly )?name), summary, ^name, ^annotations name, subject, headline, (?:entity|object|host|${KINDS}) display name`,
  ),
  /** Only where nothing is a title. */
  sentence: paths(`message, human readable, (?:text|msg), event, detail type, ^(?:${KINDS})`),
  description: paths(
    'description, details?, body, message, (?:text|msg), reason, (?:long )?output, summary, error(?: message)?, content',
  ),
  severity: paths('(?:severity|priority)(?: name)?, level, urgency, criticality, ^message type'),
  labels: paths('labels, tags, attributes, dimensions, group by fields, metadata, custom details'),
  time: paths(
    'start(?:s|ed)? at, (?:triggered|fired|opened) at, (?:fired|start|event|alert) (?:date )?time, timestamp, time, date, created at',
  ),
  link: paths('(?:(?:alert|problem|incident|issue|event|html|generator) )?url, (?:perma)?link, href'),
  /** Of a problem or its alert: the same for its recovery. */
  identity: paths(
    'finger ?print, dedup(?:lication)? ?key, (?:alert|incident|problem|issue) (?:group )?(?:id|uid|key|identifier), ^pid',
  ),
  /** Of a rule, which may apply to many objects. */
  rule: paths(
    '(?:monitor|check|rule|definition|detector|policy|condition|trigger|test|slo|probe) (?:id|uid|uuid)',
  ),
  service: paths('service(?: name)?, application, app, component'),
  environment: paths('environment, env'),
  host: paths(
    'host ?name, host, instance, (?:node|server|device|entity|machine|computer)(?: name)?, agent name',
  ),
} as const;

/** The fields of a state, the most explicit first: what this notification is, the state itself, a grade that may be `ok`. */
const STATES = [
  /^(?:.* )?(?:(?:notification|event|message) type|alert type(?: friendly name)?|alert transition|transition|event action|action|alert action)$/u,
  /(?:^| )(?:(?:alert |current |new |incident |problem |issue |event )?(?:state|status)(?: category)?|monitor condition|state value|resolved|active|firing)$/u,
  /(?:^| )(?:type|event)$/u,
  /(?:^| )(?:severity|level)$/u,
];
/** Tools that number their states, by two keys that no other has. */
const NUMBERED: readonly {
  keys: readonly [string, string];
  state: string;
  words: Readonly<Record<string, string>>;
}[] = [
  {
    keys: ['rule id', 'sys name'],
    state: 'state',
    words: { '0': 'recovered', '1': 'alert firing', '2': 'acknowledged' },
  },
  {
    keys: ['heartbeat status', 'monitor name'],
    state: 'heartbeat status',
    words: { '0': 'down', '1': 'up', '3': 'maintenance' },
  },
  { keys: ['event value', 'event id'], state: 'event value', words: { '0': 'resolved', '1': 'problem' } },
];

/** The parts of an item under their usual names, however they are nested and written. */
export function usualParts(item: Readonly<Record<string, unknown>>): ItemReading {
  const leaves = leavesOf(unwrapped(item));
  const find = (names: readonly RegExp[], usable = isText): Leaf | undefined => {
    for (let depth = 0; depth < MAX_DEPTH; depth += 1)
      for (const name of names) {
        const found = leaves.find(
          (leaf) => leaf.depth === depth && name.test(leaf.path) && usable(leaf.value),
        );
        if (found) return found;
      }
    return undefined;
  };
  const description = find(USUAL.description)?.value;
  const host = find(USUAL.host)?.value;
  const objects = leaves.filter(({ depth, name, value }) => depth < 3 && isObject(name, value));
  const rule = find(USUAL.rule)?.value;
  const named = host !== undefined || rule !== undefined || objects.some(({ name }) => !WIDE.has(name));
  // A bare id may be the delivery's own, where the item names its object.
  const own = named
    ? undefined
    : leaves.find(({ path }) => path === 'id' || path === 'key' || path === 'data id');
  const key = leaves.find(({ path, value }) => path === 'event key' && isText(value))?.value;
  const title = find(USUAL.title)?.value ?? find(USUAL.sentence)?.value;
  return {
    title,
    description,
    severity: find(USUAL.severity)?.value,
    status: undefined,
    labels: find(
      USUAL.labels,
      (value) => isRecord(value) || Array.isArray(value) || typeof value === 'string',
    )?.value,
    time: find(USUAL.time)?.value,
    link: leaves.find(
      ({ path, value }) =>
        USUAL.link.some((name) => name.test(path)) &&
        !/\bmonitor url$/u.test(path) &&
        webUrl.parse(value) !== null,
    )?.value,
    fingerprint: find(USUAL.identity)?.value ?? own?.value,
    service: find(USUAL.service)?.value,
    environment: find(USUAL.environment)?.value,
    host,
    states: [...statesIn(leaves), wordsIn(leaves)],
    objects: [
      ...(rule === undefined ? [] : [`rule ${scalarText.parse(rule)}`, `key ${scalarText.parse(key)}`]),
      ...objects.map(({ name, value }) => `${name} ${scalarText.parse(value)}`),
    ],
  };
}

/**
 * A resource of JSON:API is its attributes, and its id is that of its type: `incident id`. An event may stand under its own
 * name, which `event_type` says.
 */
function unwrapped(item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const event = item[scalarText.parse(item.event_type)];
  if (isRecord(event)) return { ...event, event_type: item.event_type };
  const { id, type, attributes } = isRecord(item.data) ? item.data : {};
  return isRecord(attributes) && typeof type === 'string' ? { ...attributes, [`${type} id`]: id } : item;
}

function isText(value: unknown): boolean {
  return scalarText.parse(value) !== '';
}

/** Keys that name an object, of which two alerts with the same title may have different ones. */
function isObject(name: string, value: unknown): boolean {
  const text = typeof value === 'string' ? value : '';
  const names =
    OBJECT_FIELDS.test(name) ||
    /^(?:(?:source|resource|instance|device|object|entity) (?:id|name)|alert group)$/u.test(name);
  return names && !NOT_OBJECT_FIELDS.has(name) && !NOT_OBJECTS.has(name) && text !== '' && text.length <= 200;
}

/** Of these, several problems share one. */
const WIDE = new Set([
  'service',
  'application',
  'app',
  'component',
  'system',
  'project',
  'account',
  'cluster',
  'namespace',
  'tenant',
  'area',
]);
const NOT_OBJECTS = new Set([
  'name',
  'url',
  'link',
  'user',
  'index',
  'set',
  'metric',
  'group',
  'site',
  'message',
  'event',
]);

function statesIn(leaves: readonly Leaf[]): string[][] {
  const numbered = NUMBERED.find(({ keys }) => keys.every((key) => leaves.some(({ path }) => path === key)));
  return STATES.map((names, at) => {
    const values = leaves.filter(({ path, value }) => names.test(path) && isText(value));
    const words = values.flatMap(({ name, value }) => {
      if (typeof value !== 'boolean') return scalarText.parse(value);
      return (name === 'resolved') === value ? 'resolved' : name === 'resolved' ? 'active' : String(value);
    });
    const known = leaves.find(({ path }) => path === numbered?.state);
    const word = numbered?.words[scalarText.parse(known?.value)];
    return at === 0 && word !== undefined ? [word, ...words] : words;
  });
}

/** The sentences of an item, whose words may state a state. */
function wordsIn(leaves: readonly Leaf[]): string[] {
  const names = [...USUAL.title, ...USUAL.sentence];
  return leaves
    .filter(({ path, value }) => names.some((name) => name.test(path)) && typeof value === 'string')
    .map(({ value }) => (scalarText.parse(value).split('\n', 1)[0] ?? '').slice(0, MAX_SENTENCE))
    .filter((line) => line !== '')
    .slice(0, MAX_SENTENCES);
}

const MAX_SENTENCES = 8;
/** Beyond this, patterns are not tried. */
const MAX_SENTENCE = 400;

/**
 * The alert that an item's parts make; `null` if they name nothing. Its identity is the one that the item states for its
 * problem, else its rule and objects, its labels and the names in its title.
 */
export function alertOfParts(
  source: string,
  parts: ItemReading,
  words: ItemVocabulary,
): ReceivedAlert | null {
  const labels = labelsIn(parts.labels);
  const { fields, tags } = fromLabelMap(labels);
  const description = scalarText.parse(parts.description);
  const { kind, status, contradicted } = stateOf(parts, words.resolved);
  // A recovery may say no more than which problem is over.
  const id = kind === 'resolved' ? scalarText.parse(parts.fingerprint) : '';
  const title = titleOf(scalarText.parse(parts.title) || labels.alertname || description || id);
  if (title === null) return null;
  const severity = scalarText.parse(parts.severity);
  const link = webUrl.parse(parts.link);
  const service = scalarText.parse(parts.service) || fields.service;
  const host = oneName(scalarText.parse(parts.host)) ?? fields.host;
  return receivedAlert({
    alert: {
      ...emptyAlert('generic'),
      ...fields,
      kind,
      title,
      description: description || title,
      severity: words.severities.get(severity.toLowerCase()) ?? severityOf(severity) ?? fields.severity,
      service,
      host,
      environment: scalarText.parse(parts.environment) || fields.environment,
      triggeredAt: moment.parse(parts.time),
      alertUrl: link,
      errorMessage: toErrorMessage(description),
      tags,
      ...(contradicted ? { isContradicted: true as const } : {}),
      fingerprint: fingerprintOf(`webhook-${source}`, ...identityOf(parts, title, labels, [host, service])),
    },
    note: kind === 'not_an_alert' ? status : null,
    labels,
    links: linksTo(['Source', link]),
  });
}

function identityOf(
  { fingerprint, objects }: ItemReading,
  title: string,
  labels: Labels,
  where: readonly (string | null)[],
): string[] {
  const stated = scalarText.parse(fingerprint);
  if (stated !== '') return ['stated', stated];
  const labelled = fromLabelsOnly(labels);
  const places = where.map((name) => name ?? '');
  if (objects.some((object) => object.startsWith('rule ')))
    return ['rule', ...places, ...objects, ...labelled];
  const names = namesIn(title).sort();
  return ['title', ...(names.length > 0 ? names : [title]), ...places, ...objects, ...labelled];
}

/** The labels that identify an object: without times, grades and measurements. */
function fromLabelsOnly(labels: Labels): string[] {
  return identifyingLabels(Object.entries(labels).map(([name, value]) => ({ name, value, url: null })));
}

/** A title without what differs between an alert and its recovery. */
function titleOf(words: string): string | null {
  const line = withoutMarkup(words.split('\n', 1)[0] ?? '');
  const name = withoutMarkers(titledState(line)?.name ?? line).replace(CHANGE, '');
  return toTitle(name.trim() || line);
}

/** `UP -> DOWN`. */
const CHANGE = /[-–:|( ]{0,3}\b\p{Lu}[\p{Lu}_]{1,20} ?(?:->|=>|→) ?\p{Lu}[\p{Lu}_]{1,20}\b\)?/gu;

function oneName(host: string): string | null {
  return host === '' || host.length > 253 || /\s.*\s/su.test(host) ? null : host;
}

const Pair = z.object({ name: scalarText, key: scalarText, value: z.unknown() }).partial();
const Wrapped = z.object({ stringValue: z.unknown() });

/** Labels as an object, as tags, or as a list of names and values. */
function labelsIn(value: unknown): Labels {
  if (isRecord(value)) return labelMap.parse(value);
  const pairs = (Array.isArray(value) ? value.slice(0, MAX_LEAVES) : []).flatMap((one: unknown) => {
    const { name = '', key = '', value: raw } = Pair.safeParse(one).data ?? {};
    const label = name || key;
    return label === '' ? [] : [[label, Wrapped.safeParse(raw).data?.stringValue ?? raw] as const];
  });
  return pairs.length > 0 ? labelMap.parse(Object.fromEntries(pairs)) : labelsOfTags(tagList.parse(value));
}

interface StateReading {
  kind: AlertKind;
  /** The word that says so. */
  status: string;
  /** Whether what is equally explicit says the opposite. */
  contradicted: boolean;
}

/**
 * The state that the most explicit of an item's parts says; what nothing says is an alert. Where what is equally explicit
 * contradicts itself, it fires: a recovery too many is a repeat, an outage too few is lost.
 */
function stateOf({ status, states, title }: ItemReading, resolved: readonly string[]): StateReading {
  const mapped = scalarText.parse(status ?? (resolved.length > 0 ? states.slice(0, 2).flat()[0] : undefined));
  if (mapped !== '' && resolved.length > 0)
    return {
      kind: resolved.includes(mapped.toLowerCase()) ? 'resolved' : 'firing',
      status: mapped,
      contradicted: false,
    };
  const fields = mapped === '' ? states.slice(0, -1) : [[mapped]];
  let noted: string | null = null;
  for (const words of fields) {
    const read = words.map((word) => ({ word, state: stateNamed(word) }));
    const said = (state: WordState) => read.find((one) => one.state === state)?.word;
    const over = said('resolved');
    const on = said('firing');
    if (over !== undefined && on !== undefined) return { kind: 'firing', status: on, contradicted: true };
    const status = said('noted');
    if (status !== undefined && over === undefined)
      return { kind: 'not_an_alert', status, contradicted: false };
    noted ??= said('updated') ?? null;
    if (over !== undefined) return { kind: 'resolved', status: over, contradicted: false };
    if (on !== undefined && noted === null) return { kind: 'firing', status: on, contradicted: false };
  }
  if (noted !== null) return { kind: 'not_an_alert', status: noted, contradicted: false };
  return stateInWords([scalarText.parse(title), ...(states.at(-1) ?? [])]);
}

type WordState = 'firing' | 'resolved' | 'noted' | 'updated' | null;

const NOTED_WORDS =
  /\b(?:ack(?:ed|nowledged?|nowledge?ment)?|un ?acknowledged|un ?ack|snoozed?|muted?|silenced?|suppressed|downtime\w*|flapping\w*|custom|comment(?:ed)?|note|annotated|assigned|reassigned|escalated?|delegated|priority|maintenance|merged|archived|insufficient data)\b/u;
const NOT_OVER = /\b(?:not|un ?resolved|un ?healthy|in ?complete|abnormal)\b/u;
const OVER_WORDS =
  /\b(?:resolved?|recover(?:ed|y)?|ok|okay|closed?|clear(?:ed)?|normal|up|healthy|good|success(?:ful)?|succeeded|fixed|restored|inactive|ended|end|deactivated|solved|passing|passed|green|online|false|untriggered)\b/u;
const ON_WORDS =
  /\b(?:firing|fired?|re ?triggered|triggered|trigger|alerting|alarm|alerted|open(?:ed)?|re ?opened|new|created?|active|activated|problem|down|critical|warning|warn|error|failed|failure|fail|fault|degraded|ongoing|regressed|unreachable|offline|breach(?:ed)?|no ?data|raised?|started?|bad|true|unresolved|unhealthy)\b/u;
/** A longer value is a sentence. */
const MAX_WORDS = 6;

/** What a word in a field of a state says: `ALERT_RECOVERY`, `incident.triggered`, `UP -> DOWN`. A number says nothing. */
function stateNamed(value: string): WordState {
  const word = wordsOfKey(
    value
      .split(/->|=>|→|_to_/iu)
      .at(-1)
      ?.trim() ?? '',
  );
  if (word === '' || /^\d/u.test(word) || word.split(' ').length > MAX_WORDS) return null;
  if (NOTED_WORDS.test(word)) return 'noted';
  if (NOT_OVER.test(word)) return 'firing';
  if (OVER_WORDS.test(word)) return 'resolved';
  if (/\bupdated?\b/u.test(word)) return 'updated';
  return ON_WORDS.test(word) ? 'firing' : null;
}

/** The state in an item's sentences. A recovery is said in words only when it is one; a problem, whenever it is named. */
function stateInWords(lines: readonly string[]): StateReading {
  const marks = lines.flatMap((line) => {
    const bare = withoutMarkup(line);
    return (
      titledState(bare)?.state ??
      markersOf(bare).find(({ state }) => state === 'firing' || state === 'resolved')?.state ??
      []
    );
  });
  const over = lines.find((line) => sentenceState(withoutMarkup(line))?.state === 'resolved');
  const resolved = marks.includes('resolved') || over !== undefined;
  const contradicted = resolved && marks.includes('firing');
  return { kind: resolved && !contradicted ? 'resolved' : 'firing', status: over ?? '', contradicted };
}

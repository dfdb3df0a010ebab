import { z } from 'zod';
import { isJsonObject } from '../../lib/json.ts';
import { wordsOfKey } from './facts.ts';
import type { ReceivedAlert } from './format.ts';
import { fingerprintOf } from './identity.ts';
import { identifiersIn, namesIn } from './names.ts';
import {
  fromLabelMap,
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
import { highestSeverity, severityOf, severityWord, titledState } from './state.ts';
import { type Alert, type AlertKind, emptyAlert, type Severity, type Value } from './types.ts';
import { fingerprintOfBasis, identifyingOf, kindOf, shownBasis, tellsApart, valuesOf } from './values.ts';
import {
  isNormalEvent,
  markersOf,
  reportsWork,
  sentenceState,
  stateNamed,
  type WordState,
  withoutMarkers,
} from './wording.ts';

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
  /** The number of its incident: of one occurrence, which no rule has. */
  incident: unknown;
  /** An id of its own, which may be of the delivery. */
  id: unknown;
  service: unknown;
  environment: unknown;
  host: unknown;
  /** What its fields say of its state, those that count before others first. */
  states: readonly (readonly StatedWord[])[];
  /** Its sentences, whose words count only where no field states a state. */
  sentences: readonly string[];
  /** It says when it ended. */
  isEnded: boolean;
  /** Everything that it says: what does not change while a problem goes on identifies one that states no identity. */
  values: readonly Value[];
}

/** A word in a field of a state, and what it says. */
interface StatedWord {
  word: string;
  state: WordState;
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
  /** It is the item's, and not of a person, the tool, a list or the past. */
  isOwn: boolean;
}

const MAX_DEPTH = 4;
const MAX_NESTING = 8;
const MAX_LEAVES = 5_000;
/** Of those that are the item's own. */
const MAX_OWN = 400;
/** What such a key holds is not the alert's own: people, the tool, labels. */
const ELSEWHERE =
  /^(?:org|organi[sz]ation|account|team|user|author|owner|assignee|actor|sender|receiver|recipient|contact|config|configuration|settings|dashboard|project|repository|vcs|commit|backlog|client|links?|labels|tags|attributes|dimensions|metadata)$/u;
/** The same of a key that is not nested: `organization name`. */
const NAMED_ELSEWHERE =
  /^(?:org|organi[sz]ation|account|team|user|owner|assignee|actor|sender|receiver|client|project) (?:name|id|slug)$/u;
const FORMER = /^(?:previous|prior|old|former)\b/u;

/** Every value of an item, however it is nested; a pair of name and value is one value. */
function leavesOf(item: unknown): Leaf[] {
  const found: Leaf[] = [];
  const add = (name: string, path: string, depth: number, value: unknown, isOwn: boolean): void => {
    if (depth > MAX_NESTING || found.length >= MAX_LEAVES) return;
    const pair = pairIn(value);
    if (pair !== null) {
      const label = wordsOfKey(pair.label);
      add(label, `${path} ${label}`.trim(), depth, pair.value, isOwn && !FORMER.test(label));
      return;
    }
    found.push({ name, path, depth, value, isOwn });
    const isOwnBelow = isOwn && !ELSEWHERE.test(name);
    if (Array.isArray(value))
      for (const one of value.slice(0, MAX_LEAVES))
        add(name, path, depth + 1, one, isOwnBelow && pairIn(one) !== null);
    else if (isJsonObject(value)) {
      for (const [key, one] of Object.entries(value)) {
        const words = wordsOfKey(key);
        add(
          words,
          `${path} ${words}`.trim(),
          depth + 1,
          one,
          isOwnBelow && !FORMER.test(words) && !NAMED_ELSEWHERE.test(words),
        );
      }
    }
  };
  add('', '', -1, item, true);
  return found.slice(1);
}

/** `{"name": "env", "value": "prod"}`. */
function pairIn(value: unknown): { label: string; value: unknown } | null {
  if (!isJsonObject(value) || value.value === undefined) return null;
  const label = scalarText.parse(value.name) || scalarText.parse(value.key);
  return label === '' ? null : { label, value: value.value };
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
  sentence: paths(`message, human readable, (?:text|msg), event, detail type, alert type, ^(?:${KINDS})`),
  description: paths(
    'description, details?, body, message, (?:text|msg), reason, (?:long )?output, summary, error(?: message)?, content',
  ),
  severity: paths('(?:severity|priority)(?: name)?, level, urgency, criticality, ^message type'),
  /** The same under a longer key. */
  graded: paths('(?:severity|priority)(?: \\w+)?'),
  labels: paths('labels, tags, attributes, dimensions, group by fields, metadata, custom details'),
  time: paths(
    'start(?:s|ed)? at, (?:triggered|fired|opened) at, (?:fired|start|event|alert) (?:date )?time, timestamp, time, date, created at',
  ),
  link: paths('(?:(?:alert|problem|incident|issue|event|html|generator) )?url, (?:perma)?link, href'),
  /** Of a problem or its alert: the same for its recovery. */
  identity: paths(
    'finger ?print, dedup(?:e|lication)? ?(?:key|id), (?:alert |event )?correlation (?:id|key)',
  ),
  incident: paths('(?:incident|problem|issue) (?:group )?(?:id|uid|key|identifier), ^pid'),
  /** What an alert may be about, where its title does not say. */
  thing: paths('^name, name, host ?name, host, target, url, address'),
  service: paths('service(?: name)?, application, app, component'),
  environment: paths('environment, env'),
  host: paths(
    'fqdn, host ?name, host, instance, (?:node|server|device|entity|machine|computer)(?: name)?, agent name',
  ),
} as const;

/** The fields of a state, the most explicit first: what this notification is, the state itself, a grade that may be `ok`. */
const STATES = [
  /^(?:.* )?(?:(?:notification|event|message) type|alert type(?: friendly name)?|alert transition|transition|event action|action|alert action)$/u,
  /(?:state|status)(?: category)?$|(?:^| )(?:monitor condition|state value|result|conclusion|outcome)$/u,
  /(?:^| )event$/u,
];
/** What kind of thing happened, which may sound like a state. */
const KINDS_OF_EVENT = [/(?:^| )type$/u, /(?:^| )reason$/u];
/** A grade may be `ok`; it says so where nothing else states a state. */
const GRADE = /(?:^| )(?:severity|level)$/u;
/** A time under such a key says that it is over. */
const ENDED =
  /(?:^| )(?:ended|resolved|recovered|recovery|closed|cleared)(?: (?:at|on|time|date|timestamp))$/u;
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
  const all = leavesOf(unwrapped(item));
  const leaves = all.filter(({ isOwn }) => isOwn).slice(0, MAX_OWN);
  const named = (names: readonly RegExp[], usable = isText): Leaf[] =>
    Array.from({ length: MAX_DEPTH }, (_, depth) => depth).flatMap((depth) =>
      names.flatMap((name) =>
        leaves.filter((leaf) => leaf.depth === depth && name.test(leaf.path) && usable(leaf.value)),
      ),
    );
  const find = (names: readonly RegExp[], usable = isText): unknown => named(names, usable)[0]?.value;
  return {
    title: titleIn(named(USUAL.title), named(USUAL.sentence), named(USUAL.thing)),
    description: find(USUAL.description),
    severity: find(USUAL.severity, isGrade) ?? find(USUAL.graded, isGrade) ?? find(USUAL.severity),
    status: undefined,
    labels: find(
      USUAL.labels,
      (value) => isJsonObject(value) || Array.isArray(value) || typeof value === 'string',
    ),
    time: find(USUAL.time),
    link: leaves.find(
      ({ path, value }) =>
        USUAL.link.some((name) => name.test(path)) &&
        !/\bmonitor url$/u.test(path) &&
        webUrl.parse(value) !== null,
    )?.value,
    fingerprint: find(USUAL.identity),
    incident: find(USUAL.incident) ?? leaves.find(({ path }) => path === 'data id')?.value,
    id: leaves.find(({ path }) => path === 'id' || path === 'key')?.value,
    service: find(USUAL.service),
    environment: find(USUAL.environment),
    host: find(USUAL.host),
    states: statesIn(leaves),
    sentences: sentencesIn(leaves),
    isEnded: leaves.some(({ path, value }) => ENDED.test(path) && kindOf(scalarText.parse(value)) === 'time'),
    values: all.flatMap(({ path, value }) =>
      typeof value === 'string' || typeof value === 'number'
        ? [{ key: path, text: scalarText.parse(value) }]
        : [],
    ),
  };
}

/**
 * The first title that tells an alert from the tool's others, else the first sentence that does. The key of a rule, or a
 * title that says only a state, has the name of the thing behind it.
 */
function titleIn(titles: readonly Leaf[], sentences: readonly Leaf[], things: readonly Leaf[]): unknown {
  const texts = [...titles, ...sentences].map(({ value }) => scalarText.parse(value));
  const title = texts.find((text) => tellsApart(text)) ?? texts[0] ?? '';
  const isKey = tellsApart(title) && /^(?=[a-z\d]*_)[a-z\d_]+$/u.test(title);
  if (tellsApart(title) && !isKey) return title;
  const own = isKey ? things.filter(({ path }) => path === 'name') : things;
  const thing = own
    .map(({ value }) => scalarText.parse(value))
    .find((name) => tellsApart(name) && name !== title)
    ?.replace(/^https?:\/\//iu, '');
  return [title, thing].filter(Boolean).join(': ');
}

/**
 * A resource of JSON:API is its attributes, and its id is that of its type: `incident id`. An event may stand under its own
 * name, which `event_type` says.
 */
function unwrapped(item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const event = item[scalarText.parse(item.event_type)];
  if (isJsonObject(event)) return { ...event, event_type: item.event_type };
  const { id, type, attributes } = isJsonObject(item.data) ? item.data : {};
  return isJsonObject(attributes) && typeof type === 'string' ? { ...attributes, [`${type} id`]: id } : item;
}

function isText(value: unknown): boolean {
  return scalarText.parse(value) !== '';
}

function isGrade(value: unknown): boolean {
  return severityOf(scalarText.parse(value)) !== null;
}

/** What is nearest to the top, and of that what is most explicit, comes first; a flag counts where no word does. */
function statesIn(leaves: readonly Leaf[]): StatedWord[][] {
  const numbered = NUMBERED.find(({ keys }) => keys.every((key) => leaves.some(({ path }) => path === key)));
  const number = leaves.find(({ path }) => path === numbered?.state)?.value;
  const known = numbered?.words[scalarText.parse(number)];
  const isOfRun = leaves.some(({ name }) => RUN.test(name));
  const stated = ({ name, value }: Leaf): StatedWord => {
    const word = scalarText.parse(value);
    return isOfRun && /^start(?:ed)?$/iu.test(word) ? { word, state: 'updated' } : statedWord(name, word);
  };
  const under = (fields: readonly RegExp[]) =>
    Array.from({ length: MAX_DEPTH }, (_, depth) =>
      fields.map((names) =>
        leaves
          .filter((leaf) => leaf.depth === depth && names.test(leaf.path) && typeof leaf.value !== 'boolean')
          .map(stated),
      ),
    ).flat();
  return [
    ...(known === undefined ? [] : [[statedWord('', known)]]),
    ...under(STATES),
    leaves.filter(({ path }) => GRADE.test(path)).flatMap(fineGrade),
    leaves.flatMap(flagged),
    ...under(KINDS_OF_EVENT),
    wrapper(leaves),
  ];
}

const RAN = /^(?:finished|completed?|done)$/iu;
/** Keys of what starts without being a problem. */
const RUN = /^(?:job|workflow|pipeline|build|deployment|run|task)(?: name| id)?$/u;

function statedWord(name: string, word: string): StatedWord {
  return { word, state: isNormalEvent(name, word) ? 'updated' : stateNamed(word) };
}

/** What wraps the whole item is what happened: `{"marker": {…}}`. */
function wrapper(leaves: readonly Leaf[]): StatedWord[] {
  const [first, ...others] = leaves.filter(({ depth }) => depth === 0);
  if (first === undefined || others.length > 0 || !isJsonObject(first.value)) return [];
  const stated = statedWord('', first.name);
  return stated.state === 'updated' ? [stated] : [];
}

/** A grade says that all is well, or how bad it is if it is not over. */
function fineGrade({ name, value }: Leaf): StatedWord[] {
  const grade = statedWord(name, scalarText.parse(value));
  return grade.state === 'resolved' ? [grade] : [];
}

/** A flag under a key that is a state: `resolved: true`, `is_ok: 0`. */
function flagged({ name, value }: Leaf): StatedWord[] {
  const isNumber = /^(?:is )?\w+$/u.test(name) && (value === 0 || value === 1);
  if (typeof value !== 'boolean' && !isNumber) return [];
  const state = stateNamed(name);
  if (state !== 'firing' && state !== 'resolved') return [];
  const isOver = (state === 'resolved') === (value === true || value === 1);
  return [{ word: name, state: isOver ? 'resolved' : 'firing' }];
}

/** The sentences of an item, whose words may state a state. */
function sentencesIn(leaves: readonly Leaf[]): string[] {
  const names = [...USUAL.title, ...USUAL.sentence, ...USUAL.description];
  return leaves
    .filter(({ path, value }) => names.some((name) => name.test(path)) && typeof value === 'string')
    .map(({ value }) => lineOf(value))
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
  const id =
    kind === 'resolved' ? scalarText.parse(parts.fingerprint) || scalarText.parse(parts.incident) : '';
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
      severity:
        words.severities.get(severity.toLowerCase()) ??
        severityOf(severity) ??
        fields.severity ??
        (kind === 'firing' ? gradeIn(parts) : null),
      service,
      host,
      environment: scalarText.parse(parts.environment) || fields.environment,
      triggeredAt: moment.parse(parts.time),
      alertUrl: link,
      errorMessage: toErrorMessage(description),
      tags,
      ...(contradicted ? { isContradicted: true as const } : {}),
      ...identityOf(`webhook-${source}`, parts, title),
    },
    note: kind === 'not_an_alert' ? status : null,
    labels,
    links: linksTo(['Source', link]),
  });
}

function identityOf(
  format: string,
  { fingerprint, incident, id, values }: ItemReading,
  title: string,
): Pick<Alert, 'fingerprint' | 'basis'> {
  const stated = scalarText.parse(fingerprint);
  if (stated !== '') return ofStated(format, stated, values, title);
  const number = scalarText.parse(incident);
  if (number !== '') return { fingerprint: fingerprintOf(format, 'stated', number) };
  const own = scalarText.parse(id);
  // A bare id may be the delivery's own, where the item names its object.
  const others = identifyingOf(values.filter(({ key }) => !APART.test(key)));
  if (own !== '' && others.by.length === 0) return { fingerprint: fingerprintOf(format, 'stated', own) };
  const { by, left } = identifyingOf(values);
  const named = [...valuesOf('title', kindOf(title) === 'state' ? [] : namesIn(title)), ...by];
  const basis = {
    source: format,
    of: [format, 'names'],
    by: named.length > 0 ? named : valuesOf('title', [title]),
    left,
  };
  return { fingerprint: fingerprintOfBasis(basis), basis: shownBasis(basis) };
}

/** A stated identity may be the rule's: two objects that are named under it are two problems. */
function ofStated(
  format: string,
  stated: string,
  values: readonly Value[],
  title: string,
): Pick<Alert, 'fingerprint' | 'basis'> {
  const isObject = ({ key, text }: Value) => !TEXT.test(key) && kindOf(text) === 'name' && text !== stated;
  const { by, left } = identifyingOf(values.filter(isObject));
  const basis = {
    source: format,
    of: [format, 'stated', stated],
    by: [...valuesOf('title', title === stated ? [] : identifiersIn(title)), ...by],
    left: [...left, ...values.filter((value) => !isObject(value))],
  };
  return { fingerprint: fingerprintOfBasis(basis), basis: { ...shownBasis(basis), isStated: true } };
}

/** A severity that ends a state: `critical`, `POLICY_OPEN_CRITICAL`. */
function gradeIn({ states }: ItemReading): Severity | null {
  return highestSeverity(
    states.flat().map(({ word }) => severityWord(wordsOfKey(word).split(' ').at(-1) ?? '')),
  );
}

/** Keys of what an item says of itself besides its object. */
const TEXT =
  /^(?:title|name|summary|subject|description|message|text|body|source|type|kind|link|url|id|key)$/u;
const APART = new RegExp(`${TEXT.source}|^(?:labels|tags|attributes|metadata)\\b`, 'u');

/** A title without what differs between an alert and its recovery. */
function titleOf(words: string): string | null {
  const lines = words.split('\n', MAX_SENTENCES).map(withoutMarkup);
  const line = lines.find((one) => sentenceState(one.slice(0, MAX_SENTENCE)) !== null) ?? lines[0] ?? '';
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
  if (isJsonObject(value))
    return labelMap.parse(
      Object.fromEntries(
        Object.entries(value).map(([name, held]) => [name, isJsonObject(held) ? held.value : held]),
      ),
    );
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
function stateOf(parts: ItemReading, resolved: readonly string[]): StateReading {
  const { status, states, sentences, isEnded, title } = parts;
  const first = resolved.length > 0 ? states.flat()[0]?.word : undefined;
  const mapped = scalarText.parse(status ?? first);
  if (mapped !== '' && resolved.length > 0)
    return {
      kind: resolved.includes(mapped.toLowerCase()) ? 'resolved' : 'firing',
      status: mapped,
      contradicted: false,
    };
  const fields = mapped === '' ? states : [[statedWord('', mapped)]];
  let noted: string | null = null;
  for (const words of fields) {
    const wordOf = (state: WordState) => words.find((one) => one.state === state)?.word;
    const over = wordOf('resolved');
    const on = wordOf('firing');
    if (over !== undefined && on !== undefined) return { kind: 'firing', status: on, contradicted: true };
    const status = wordOf('noted');
    if (status !== undefined && over === undefined)
      return { kind: 'not_an_alert', status, contradicted: false };
    noted ??= wordOf('updated') ?? null;
    // How a run ended may be in its title.
    if (over !== undefined && RAN.test(over) && sentenceState(lineOf(title))?.state === 'firing')
      return { kind: 'firing', status: over, contradicted: true };
    if (over !== undefined) return { kind: 'resolved', status: over, contradicted: false };
    if (on !== undefined && noted === null) return { kind: 'firing', status: on, contradicted: false };
  }
  if (isEnded) return { kind: 'resolved', status: '', contradicted: false };
  if (noted !== null) return { kind: 'not_an_alert', status: noted, contradicted: false };
  const inWords = stateInWords([scalarText.parse(title), ...sentences]);
  const work = [title, parts.description, ...sentences, ...states.flat().map(({ word }) => wordsOfKey(word))];
  const isWork =
    inWords.kind === 'firing' && !inWords.contradicted && !isGraded(parts) && reportsWork(work.map(lineOf));
  return isWork ? { kind: 'not_an_alert', status: lineOf(title), contradicted: false } : inWords;
}

function lineOf(value: unknown): string {
  return (scalarText.parse(value).split('\n', 1)[0] ?? '').slice(0, MAX_SENTENCE);
}

/** Whether it says how bad it is, which what went well does not. */
function isGraded({ severity }: ItemReading): boolean {
  return (severityOf(scalarText.parse(severity)) ?? 'low') !== 'low';
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

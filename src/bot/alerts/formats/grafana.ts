import { z } from 'zod';
import { atOnce, type Steps } from '../../shared/turns.ts';
import {
  consistentFacts,
  type Fact,
  factsInLinks,
  factsOf,
  fromLabels,
  normalizedName,
  statedValue,
  tagsFrom,
  toFact,
} from '../facts.ts';
import {
  alertOf,
  isResolved,
  linksOfAlert,
  type PrometheusAlert,
  readGroup,
  withoutPrivate,
} from '../families.ts';
import type { AlertAlias, Format, ReceivedAlert, WebhookReading } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { type Attachment, attachmentText, type MessageContent } from '../message.ts';
import { namesInText, withoutMeasurements } from '../names.ts';
import {
  boundedLabels,
  fromLabelMap,
  identityParts,
  type Labels,
  receivedAlert,
  scalarText,
} from '../payload.ts';
import { linksOf, plainText, toDescription, toErrorMessage, toTitle, withoutMarkup } from '../slack-text.ts';
import { bracketedState, colorState, headingState, type State, titledState } from '../state.ts';
import { isoTimestamp } from '../timestamps.ts';
import { type Alert, emptyAlert } from '../types.ts';
import { identifyingLabels } from '../values.ts';

/** Grafana's own alerting: unified (8 and later), and the legacy one before it. */
export const grafana: Format = {
  name: 'grafana',
  tool: 'Grafana',
  webhook: {
    name: 'grafana',
    tool: 'Grafana',
    read: (body) => atOnce(readWebhook(body)),
    steps: readWebhook,
  },
  extract: (content) => (content.person ? null : (extractPicture(content) ?? extractUnified(content))),
};

/** `*Firing*: name` and `*Labels*: name = value, …`: a panel's picture, which Grafana posts below its own alert. */
function extractPicture({ reply, body }: MessageContent): Alert | null {
  const comment = reply && /^\s*\*(?:Firing|Resolved)\*:/u.test(body) && /^\s*\*Labels\*:/mu.test(body);
  return comment ? emptyAlert('grafana') : null;
}

/** Labels of Grafana's own workings. */
const TECHNICAL = new Set(['alertname', 'datasource uid', 'ref id', 'rulename']);
/** Raised by Grafana itself where a rule's query fails or finds nothing: another problem than the rule's. */
const SYNTHETIC = /^Datasource(?:Error|NoData)$/u;

/** Grafana's unified alerting: one message for a group, still firing while one of its alerts is. */
function extractUnified(content: MessageContent): Alert | null {
  const part = content.attachments.find((one) => isUnified(one, content.names));
  if (part === undefined) return null;
  const text = part.text || attachmentText({ ...part, title: '', footer: '' });
  const all = membersOf(text);
  const prefix = titledState(withoutMarkup(plainText(part.title)));
  const kind = stateOf(part, prefix?.state ?? null, all);
  if (kind === null) return null;

  const name = prefix?.name ?? withoutMarkup(plainText(part.title));
  const members =
    kind === 'firing' && all.some(({ state }) => state === 'firing')
      ? all.filter(({ state }) => state === 'firing')
      : all;
  const labels = sharedLabels(members);
  const alertName = statedValue(labels, 'alertname') ?? name.split(' ', 1)[0] ?? '';
  const base = { ...emptyAlert('grafana'), title: toTitle(name || alertName) };
  if (alertName === 'TestAlert') return base;
  return {
    ...base,
    ...detailsOf(labels, members, text),
    kind,
    description: toDescription(text, base.title),
    triggeredAt: isoTimestamp((part.ts ?? Number.NaN) * 1000),
    alertUrl: urlOf(part, members),
    errorType: SYNTHETIC.test(alertName) ? alertName : null,
    fingerprint: identity(part, name, all),
  };
}

function detailsOf(labels: readonly Fact[], members: readonly Member[], text: string): Partial<Alert> {
  const stated = labels.length > 0 ? labels : factsOf(text);
  const { fields, used } = fromLabels(stated);
  const tags = stated.filter(({ name }) => !TECHNICAL.has(normalizedName(name)) && !name.startsWith('__'));
  const annotations = members.flatMap((member) => member.annotations);
  const words = statedValue(
    annotations.length > 0 ? annotations : stated,
    'error',
    'description',
    'message',
    'summary',
  );
  return { ...fields, errorMessage: toErrorMessage(words), tags: tagsFrom(tags, used) };
}

function isUnified({ footer, title, title_link, text }: Attachment, names: readonly string[]): boolean {
  const titled = titledState(withoutMarkup(plainText(title))) !== null;
  const lines = text.split('\n');
  const listed =
    lines.some((line) => headingState(line)) && lines.some((line) => /^(?:Labels|Value):/u.test(line));
  const own = /^Grafana v\d/u.test(footer) || names.some((name) => /^grafana\b/iu.test(name));
  return (
    (own && (titled || listed)) || /\/alerting\/(?:grafana\/[\w-]+\/view|list\b)/u.test(title_link) || listed
  );
}

function stateOf(part: Attachment, stated: State | null, members: readonly Member[]): State | null {
  if (stated) return stated;
  if (members.some(({ state }) => state === 'firing')) return 'firing';
  return members.some(({ state }) => state === 'resolved') ? 'resolved' : colorState(part.color);
}

/** The rule's page; the list of alerts where the message is about several rules. */
function urlOf(part: Attachment, members: readonly Member[]): string | null {
  const [source, ...others] = new Set(members.flatMap((member) => member.source ?? []));
  return others.length === 0 && source !== undefined ? source : part.title_link || source || null;
}

/** Rule and labels. Of several alerts, listed as firing or as resolved, the labels that all of them share. */
function identity(part: Attachment, name: string, members: readonly Member[]): string {
  const links = [part.title_link, ...members.map(({ source }) => source ?? '')];
  const shared = consistentFacts(sharedLabels(members)).map((label) => `${label.name}=${label.value}`);
  if (shared.length > 0) return groupFingerprint(links, shared, name);
  // An operator's own template: the labels in its text and its links, else what its text names.
  const stated = identifyingLabels([...factsOf(part.text), ...factsInLinks(linksIn(part))]);
  const subject = [withoutMeasurements(name, true), ...(stated.length > 0 ? stated : namesInText(part.text))];
  return groupFingerprint(links, subject, name);
}

function linksIn({ text, actions }: Attachment): string[] {
  return [...linksOf(text), ...actions].map(({ url }) => url);
}

/** The labels that every member has, with each member's value: the others are a member's own. */
function sharedLabels(members: readonly Member[]): Fact[] {
  const owners = new Map<string, number>();
  for (const { labels } of members) {
    for (const name of new Set(labels.map((label) => label.name)))
      owners.set(name, (owners.get(name) ?? 0) + 1);
  }
  return members.flatMap(({ labels }) => labels.filter(({ name }) => owners.get(name) === members.length));
}

/** One alert of a unified message, as the default template lists it. */
interface Member {
  state: State | null;
  labels: Fact[];
  annotations: Fact[];
  /** The rule's page. */
  source: string | null;
}

const PAIR = /^\s{0,4}[-•]\s(.*)$/u;
const SECTION = /^\s*\**(Value|Labels|Annotations|Source|Silence|Dashboard|Panel|Image)\**\s?:\**/u;

/** Reads ` - name = value` lines below `Labels:` and `Annotations:`; values may run over several lines. */
function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let state: State | null = null;
  let section = '';
  let last: { name: string; raw: string } | null = null;

  const flush = () => {
    const list = section === 'Labels' ? 'labels' : 'annotations';
    if (last) members.at(-1)?.[list].push(toFact(last.name, last.raw.trim()));
    last = null;
  };
  const begin = (name: string) => {
    const open = members.at(-1);
    const used = open === undefined || open.state !== state || open.source !== null || open.labels.length > 0;
    if (open === undefined || (used && (name === 'Value' || name === 'Labels'))) {
      members.push({ state, labels: [], annotations: [], source: null });
    }
  };

  for (const line of text.split('\n')) {
    const heading = headingState(line);
    const name = SECTION.exec(line)?.[1];
    const pair = section === 'Labels' || section === 'Annotations' ? PAIR.exec(line)?.[1] : undefined;
    const equals = pair?.indexOf(' =') ?? -1;
    if (heading || name) {
      flush();
      state = heading ?? state;
      section = name ?? '';
      if (name) begin(name);
      const open = members.at(-1);
      if (open && name === 'Source') open.source ??= linksOf(line)[0]?.url ?? null;
    } else if (pair !== undefined && equals > 0) {
      flush();
      last = { name: pair.slice(0, equals), raw: pair.slice(equals + 2).trim() };
    } else if (last) {
      last = { name: last.name, raw: `${last.raw}\n${line}` };
    }
  }
  flush();
  return members;
}

/** The UID of a rule in the address of its page. */
function ruleUidIn(link: string): string | null {
  return /\/alerting\/(?:grafana\/)?([\w-]+)\/(?:view|edit)/u.exec(link)?.[1] ?? null;
}

/**
 * The identity of a message of Grafana's unified alerting: its rule, if all of its pages are of the same one, and the
 * labels (`name=value`) that all of its alerts share; the name where they share none.
 */
function groupFingerprint(links: readonly string[], shared: readonly string[], name: string): string {
  const uids = new Set(links.flatMap((link) => ruleUidIn(link) ?? []));
  const rest = shared.length > 0 ? shared.toSorted().join('\n') : name;
  return fingerprintOf('grafana', 'unified', uids.size === 1 ? [...uids].join() : '', rest);
}

const Titled = z.object({ title: scalarText }).catch({ title: '' });

const GROUP = {
  tool: 'Grafana',
  custom: 'the contact point has a custom payload',
  tests: new Set(['TestAlert']),
  onlyTests: 'It is a test notification.',
  limit: 'Max Alerts',
};

/** Grafana's webhook contact point. */
function readWebhook(body: unknown): Steps<WebhookReading> {
  return readGroup(GROUP, body, (real, isOver) => {
    const aliases = aliasOf(Titled.parse(body).title, real, isOver);
    return (entry) => received(entry, aliases, isOver);
  });
}

function received(entry: PrometheusAlert, aliases: AlertAlias[], groupResolved: boolean): ReceivedAlert {
  const name = entry.labels.alertname ?? '';
  const labels = withoutPrivate(entry.labels);
  return receivedAlert({
    alert: {
      ...alertOf('grafana', { ...entry, labels }),
      errorType: SYNTHETIC.test(name) ? name : null,
      fingerprint: identityOf(entry, labels),
    },
    labels,
    routing: [entry.labels],
    links: linksOfAlert(entry),
    aliases,
    groupResolved,
  });
}

/** The rule and the labels. */
function identityOf({ generatorURL, fingerprint }: PrometheusAlert, labels: Labels): string {
  const pairs = identityParts(labels);
  return fingerprintOf(
    'grafana-alert',
    ruleUidIn(generatorURL ?? '') ?? '',
    ...(pairs.length > 0 ? pairs : [fingerprint]),
  );
}

/** The message of Grafana's Slack contact point: identified by what all alerts share, its environment that of those firing. */
function aliasOf(title: string, entries: readonly PrometheusAlert[], resolved: boolean): AlertAlias[] {
  const firing = resolved ? [] : entries.filter((entry) => !isResolved(entry));
  const shared = labelsOfAll(entries).map(([name, value]) => `${name}=${value}`);
  const links = entries.map(({ generatorURL }) => generatorURL ?? '');
  const shown = Object.fromEntries(labelsOfAll(firing.length > 0 ? firing : entries));
  return [
    {
      fingerprint: groupFingerprint(links, shared, bracketedState(title)?.name ?? title.trim()),
      environment: fromLabelMap(shown).fields.environment,
    },
  ];
}

function labelsOfAll([first, ...others]: readonly PrometheusAlert[]): [string, string][] {
  return Object.entries(boundedLabels(withoutPrivate(first?.labels ?? {})).labels).filter(([name, value]) =>
    others.every(({ labels }) => labels[name] === value),
  );
}

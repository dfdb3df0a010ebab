import { emptyAlert } from '../../empty-alert.ts';
import { type Fact, factsOf, normalizedName } from '../../facts.ts';
import { consistentFacts, fromLabels, statedValue } from '../../labels.ts';
import { attachmentText, type MessageContent } from '../../message-content.ts';
import type { Attachment } from '../../schema.ts';
import { plainText } from '../../slack-text.ts';
import { bracketedState, colorState, headingState, type State } from '../../state.ts';
import { tagsFrom } from '../../tags.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import { isoTimestamp } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';
import { groupFingerprint } from './group-identity.ts';
import { type Member, membersOf } from './members.ts';

/** Labels of Grafana's own workings. */
const TECHNICAL = new Set(['alertname', 'datasource uid', 'ref id', 'rulename']);
/** Raised by Grafana itself where a rule's query fails or finds nothing: another problem than the rule's. */
const SYNTHETIC = /^Datasource(?:Error|NoData)$/u;

/** Grafana's unified alerting: one message for a group, still firing while one of its alerts is. */
export function extractUnified(content: MessageContent): Alert | null {
  const part = content.attachments.find((one) => isUnified(one, content.names));
  if (part === undefined) return null;
  const text = part.text || attachmentText({ ...part, title: '', footer: '' });
  const all = membersOf(text);
  const prefix = bracketedState(plainText(part.title));
  const kind = stateOf(part, prefix?.state ?? null, all);
  if (kind === null) return null;

  const name = prefix?.name ?? plainText(part.title).trim();
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
    ...says(labels, members, text),
    kind,
    description: toDescription(text, base.title),
    triggeredAt: isoTimestamp((part.ts ?? Number.NaN) * 1000),
    alertUrl: urlOf(part, members),
    errorType: SYNTHETIC.test(alertName) ? alertName : null,
    fingerprint: identity(part, name, all),
  };
}

function says(labels: readonly Fact[], members: readonly Member[], text: string): Partial<Alert> {
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
  const titled = bracketedState(plainText(title)) !== null;
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
  return groupFingerprint(links, shared, name);
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

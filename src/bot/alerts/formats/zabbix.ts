import { fromLabels, normalizedName, statedValue, tagLines, toFact } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { type Attachment, attachmentText, fieldFacts, type MessageContent } from '../message.ts';
import { plainText, toDescription, toErrorMessage, toTitle } from '../slack-text.ts';
import { colorState, severityOf } from '../state.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, type AlertKind, emptyAlert } from '../types.ts';

const EVENT = /\/tr_events\.php\?/u;
const TITLE = /^\s*(Problem|Resolved|OK|Updated problem)(?: in [^:\n]{1,60})?:\s*(.+)$/isu;
const KINDS: Readonly<Record<string, AlertKind>> = {
  problem: 'firing',
  resolved: 'resolved',
  ok: 'resolved',
  'updated problem': 'not_an_alert',
};

/** Zabbix, by its own media type for Slack. */
export const zabbix: Format = { name: 'zabbix', tool: 'Zabbix', extract };

/** The card of an event. An operator may reword its title: then the bar's colour tells the state. */
function extract(content: MessageContent): Alert | null {
  if (content.person) return null;
  const part = content.attachments.find((one) => isEvent(one, content.names));
  if (part === undefined) return null;

  const facts = fieldFacts(part);
  const heading = plainText(part.title || part.fallback);
  const [, word, name = heading] = TITLE.exec(heading) ?? [];
  const tags = tagLines(facts.find((one) => normalizedName(one.name) === 'event tags')?.value ?? '');
  const { fields } = fromLabels(tags.map((tag) => labelOf(tag)));
  const host = statedValue(facts, 'host')?.replace(/ \[[^\]\n]{0,300}\]$/u, '') ?? null;
  const alertUrl = linkOf(part);
  const title = toTitle(name);
  return {
    ...emptyAlert('zabbix'),
    ...fields,
    kind: word === undefined ? (colorState(part.color) ?? 'firing') : (KINDS[word.toLowerCase()] ?? 'firing'),
    title,
    description: toDescription(attachmentText({ ...part, title: '', fallback: '' }), title),
    severity: severityOf(statedValue(facts, 'severity') ?? ''),
    triggeredAt: timestampIn(statedValue(facts, 'event time') ?? ''),
    alertUrl,
    host: host ?? fields.host,
    errorMessage: toErrorMessage(statedValue(facts, 'trigger description')),
    tags,
    fingerprint: identityOf(alertUrl, host ?? '', name),
  };
}

function isEvent(part: Attachment, names: readonly string[]): boolean {
  if (EVENT.test(linkOf(part) ?? '')) return true;
  const titles = new Set(part.fields.map((field) => normalizedName(field.title)));
  const own = titles.has('host') && (titles.has('event time') || titles.has('severity'));
  return own && TITLE.test(plainText(part.title)) && names.some((name) => /^zabbix/iu.test(name));
}

function linkOf(part: Attachment): string | null {
  return part.title_link || part.actions.find(({ url }) => url !== '')?.url || null;
}

function labelOf(tag: string): ReturnType<typeof toFact> {
  const colon = tag.indexOf(':');
  return colon < 0 ? toFact(tag, '') : toFact(tag.slice(0, colon), tag.slice(colon + 1));
}

/** Trigger and event: a problem that comes back is another event. */
function identityOf(link: string | null, host: string, name: string): string {
  const trigger = /[?&]triggerid=(\d+)/u.exec(link ?? '')?.[1];
  const event = /[?&]eventid=(\d+)/u.exec(link ?? '')?.[1] ?? '';
  return trigger === undefined
    ? fingerprintOf('zabbix', 'name', host, name.trim())
    : fingerprintOf('zabbix', 'event', trigger, event);
}

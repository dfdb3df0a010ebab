import { hostIn } from '../details.ts';
import { fromLabels, statedValue } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { attachmentText, type MessageContent } from '../message.ts';
import { plainText, toDescription, toErrorMessage, toTitle, withoutUrls } from '../slack-text.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, type AlertKind, emptyAlert } from '../types.ts';

const STATE = /\] \[(?:(?<mark>[^\s[\]]{1,30}) )?(?<state>Down|Up|Pending|Maintenance)\]/u;
const MARK = /^(?::[\w+-]{2,40}:|\p{Extended_Pictographic}\u{FE0F}?)$/u;
/** The text above a card has this in front; some versions put it above the plain text as well. */
const HEADING = /^Uptime Kuma Alert(?:\s*\n|:\s+)/iu;
/** `[monitor][address] server certificate shop.example.io will expire in 7 days`. */
const EXPIRY =
  /^\[(?<name>[^\n]{1,300}?)\] ?\[(?<address>[^\]\n]{0,500})\] (?<said>.{0,200}\b(?:certificate|domain)\b.{0,300}\bexpire.{0,200})$/isu;
/** The same in a sentence, as an operator's template puts it. */
const SENTENCE =
  /^(?:monitor )?[“"']?(?<name>[^\n]{1,200}?)[”"']? (?:is|has gone|went|came|is back) (?:back )?(?<state>down|up)\b[.:,!)]*\s*(?:[-–—:] )?(?<said>.*)$/isu;
/** What is below the message, each with its label. */
const LABELLED =
  /\n\*?(?:Local )?(?:(?:Time|Date|Host(?:name)?|Address|URL|Type|Tags?|Ping|Port|Service|Environment|Severity|Duration)\b[^\n:]{0,40}:)/iu;

const KINDS: Readonly<Record<string, AlertKind>> = { down: 'firing', up: 'resolved' };

interface Line {
  name: string;
  /** A certificate's end is another problem of the same monitor. */
  expires?: true;
  kind: AlertKind;
  reason: string;
}

/** Uptime Kuma, in its rich and its plain form. */
export const uptimeKuma: Format = { name: 'uptime-kuma', tool: 'Uptime Kuma', extract };

/** `[monitor] [🔴 Down] message`, in the text and again in the card; or a certificate that expires. */
function extract(content: MessageContent): Alert | null {
  if (content.person) return null;
  const button = content.buttons.find(({ label }) => label === 'Visit Uptime Kuma');
  const headed = HEADING.test(plainText(content.message.text));
  const named =
    headed || button !== undefined || content.names.some((name) => /^uptime ?kuma\b/iu.test(name));
  const found = [content.message.text, statedValue(content.facts, 'message') ?? '']
    .map((text) => read(plainText(text).trim().replace(HEADING, '').trim(), named))
    .find((one) => one !== null);
  if (found === undefined || found === null) return null;

  const { name, kind, reason, expires } = found;
  const title = toTitle(name);
  const { fields } = fromLabels(content.facts);
  const address = statedValue(content.facts, 'address', 'ip', 'ip address', 'hostname or ip');
  return {
    ...emptyAlert('uptime-kuma'),
    ...fields,
    kind,
    title,
    description: toDescription(
      content.attachments.map(attachmentText).join('\n') || plainText(content.message.text),
      title,
    ),
    triggeredAt: timeOf(content),
    alertUrl: button?.url ?? null,
    host: fields.host ?? address ?? (kind === 'firing' ? hostIn(withoutUrls(reason)) : null),
    errorMessage: kind === 'not_an_alert' ? null : toErrorMessage(reason),
    fingerprint: fingerprintOf('uptime-kuma', name, ...(expires ? ['expires'] : [])),
  };
}

function read(text: string, named: boolean): Line | null {
  const end = LABELLED.exec(text)?.index ?? text.length;
  const line = text.slice(0, end).trim();
  const state = STATE.exec(line);
  if (state !== null && line.startsWith('[')) {
    if (!named && !MARK.test(state.groups?.mark ?? '')) return null;
    const kind = KINDS[state.groups?.state?.toLowerCase() ?? ''] ?? 'not_an_alert';
    return {
      name: line.slice(1, state.index),
      kind,
      reason: line.slice(state.index + state[0].length).trim(),
    };
  }
  if (!named) return null;
  const expiry = EXPIRY.exec(line)?.groups;
  if (expiry) return { name: expiry.name ?? '', kind: 'firing', reason: expiry.said ?? '', expires: true };
  const sentence = SENTENCE.exec(line)?.groups;
  if (!sentence) return null;
  const kind = KINDS[sentence.state?.toLowerCase() ?? ''] ?? 'firing';
  return { name: sentence.name?.trim() ?? '', kind, reason: sentence.said?.trim() ?? '' };
}

/** `*Time (Europe/Berlin)*`: the clock of the zone that the label names. */
function timeOf({ facts, message }: MessageContent): string | null {
  for (const { name, value } of facts) {
    const [label, zone] = /^(?:Local )?(?:Time|Date)(?: \(([\w/+-]{1,40})\))?$/iu.exec(name) ?? [];
    const time = label === undefined ? null : timestampIn(value, zone);
    if (time !== null) return time;
  }
  return timestampIn(withoutUrls(message.text));
}

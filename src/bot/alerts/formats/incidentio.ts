import { fromLabels, statedValue } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { blocksText, type MessageContent, urlsOf } from '../message.ts';
import { plainText, toDescription, toErrorMessage, toTitle, withoutMarkup } from '../slack-text.ts';
import { type Alert, type AlertKind, emptyAlert } from '../types.ts';

const HEADING = /^(?:(New)|(Resolved)|(Acknowledged)) alert from ([^\n]{1,120})$/iu;
const ENDED = /^Alert (?:from [^\n]{1,120} )?(?:(resolved)|(acknowledged))\b/iu;
const PAGE = /^https:\/\/app\.incident\.io\/[^\s|>]{0,200}?alerts?\/[\w-]{4,80}/u;

/** incident.io's alerts, which come from other tools. */
export const incidentio: Format = { name: 'incidentio', tool: 'incident.io', extract };

/** `New alert from <source>`, and below it the alert's title and its priority. */
function extract(content: MessageContent): Alert | null {
  if (content.person) return null;
  const { message, attachments, facts, names } = content;
  const lines = [message.text, blocksText(message.blocks), ...attachments.map(({ text }) => text)]
    .flatMap((text) => text.split('\n'))
    .map((line) => withoutMarkup(plainText(line)))
    .filter((line) => line !== '');
  const heading = lines.map((line) => HEADING.exec(line) ?? ENDED.exec(line)).find((match) => match !== null);
  const own = names.some((name) => /^incident\.io\b/iu.test(name));
  if (heading === undefined || !(own || statedValue(facts, 'priority') !== null)) return null;

  const source = /\bfrom ([^\n]{1,120}?)(?: (?:resolved|acknowledged)\b.*)?$/iu.exec(heading[0])?.[1] ?? '';
  const below = lines.filter((line) => !HEADING.test(line) && !ENDED.test(line));
  const title = toTitle(below.find((line) => !/^[A-Z][\w ]{1,30}: \S/u.test(line)) ?? below[0] ?? heading[0]);
  const alertUrl = urlsOf(content).find((url) => PAGE.test(url)) ?? null;
  const { fields } = fromLabels(facts);
  return {
    ...emptyAlert('incidentio'),
    ...fields,
    kind: kindOf(heading[0]),
    title,
    description: toDescription(below.join('\n'), title),
    alertUrl,
    errorMessage: toErrorMessage(statedValue(facts, 'description')),
    fingerprint: fingerprintOf('incidentio', source.toLowerCase(), (title ?? '').toLowerCase()),
  };
}

function kindOf(heading: string): AlertKind {
  if (/\bresolved\b/iu.test(heading)) return 'resolved';
  return /\backnowledged\b/iu.test(heading) ? 'not_an_alert' : 'firing';
}

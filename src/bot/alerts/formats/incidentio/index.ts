import { addressesOf } from '../../urls.ts';
import { blank } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Format } from '../../format.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import { blocksText, type Reading } from '../../message-content.ts';
import { bare, plain } from '../../slack-text.ts';
import type { Alert, AlertKind } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';

const HEADING = /^(?:(New)|(Resolved)|(Acknowledged)) alert from ([^\n]{1,120})$/iu;
const ENDED = /^Alert (?:from [^\n]{1,120} )?(?:(resolved)|(acknowledged))\b/iu;
const PAGE = /^https:\/\/app\.incident\.io\/[^\s|>]{0,200}?alerts?\/[\w-]{4,80}/u;

/** incident.io's alerts, which come from other tools. */
export const incidentio: Format = { name: 'incidentio', tool: 'incident.io', extract };

/** `New alert from <source>`, and below it the alert's title and its priority. */
function extract(reading: Reading): Alert | null {
  if (reading.person) return null;
  const { message, attachments, facts, names } = reading;
  const lines = [message.text, blocksText(message.blocks), ...attachments.map(({ text }) => text)]
    .flatMap((text) => text.split('\n'))
    .map((line) => bare(plain(line)))
    .filter((line) => line !== '');
  const heading = lines.map((line) => HEADING.exec(line) ?? ENDED.exec(line)).find((match) => match !== null);
  const own = names.some((name) => /^incident\.io\b/iu.test(name));
  if (heading === undefined || !(own || statedValue(facts, 'priority') !== null)) return null;

  const source = /\bfrom ([^\n]{1,120}?)(?: (?:resolved|acknowledged)\b.*)?$/iu.exec(heading[0])?.[1] ?? '';
  const below = lines.filter((line) => !HEADING.test(line) && !ENDED.test(line));
  const title = titleOf(below.find((line) => !/^[A-Z][\w ]{1,30}: \S/u.test(line)) ?? below[0] ?? heading[0]);
  const alertUrl = addressesOf(reading).find((url) => PAGE.test(url)) ?? null;
  const { fields } = fromLabels(facts);
  return {
    ...blank('incidentio'),
    ...fields,
    kind: kindOf(heading[0]),
    title,
    description: descriptionOf(below.join('\n'), title),
    alertUrl,
    errorMessage: messageOf(statedValue(facts, 'description')),
    fingerprint: fingerprintOf('incidentio', source.toLowerCase(), (title ?? '').toLowerCase()),
  };
}

function kindOf(heading: string): AlertKind {
  if (/\bresolved\b/iu.test(heading)) return 'resolved';
  return /\backnowledged\b/iu.test(heading) ? 'not_an_alert' : 'firing';
}

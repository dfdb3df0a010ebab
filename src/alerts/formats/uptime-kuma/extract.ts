import { blank } from '../../blank.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { statedValue } from '../../labels.ts';
import { attachmentText, type Reading } from '../../reading.ts';
import { plain } from '../../slack-text.ts';
import { timeIn } from '../../times.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../words.ts';

const STATE = /\] \[(?:(?<mark>[^\s[\]]{1,30}) )?(?<state>Down|Up)\]/u;
const MARK = /^(?::[\w+-]{2,40}:|\p{Extended_Pictographic}\u{FE0F}?)$/u;

/** `[monitor] [🔴 Down] message`, in the text and again in the card. */
export function extract(reading: Reading): Alert | null {
  if (reading.person) return null;
  const button = reading.buttons.find(({ label }) => label === 'Visit Uptime Kuma');
  const named = button !== undefined || reading.names.some((name) => /^uptime ?kuma\b/iu.test(name));
  const line = [reading.message.text, statedValue(reading.facts, 'message') ?? '']
    .map((text) => plain(text).trim())
    .find((text) => text.startsWith('[') && STATE.test(text));
  const found = STATE.exec(line ?? '');
  if (line === undefined || found === null) return null;
  if (!named && !MARK.test(found.groups?.mark ?? '')) return null;

  const name = line.slice(1, found.index);
  const title = titleOf(name);
  const said = line.slice(found.index + found[0].length).trim();
  return {
    ...blank('uptime-kuma'),
    kind: found.groups?.state === 'Down' ? 'firing' : 'resolved',
    title,
    description: descriptionOf(reading.attachments.map(attachmentText).join('\n') || line, title),
    triggeredAt: timeOf(reading),
    alertUrl: button?.url ?? null,
    errorMessage: messageOf(said),
    fingerprint: fingerprintOf('uptime-kuma', name),
  };
}

/** `*Time (Europe/Berlin)*`: the clock of the zone that the label names. */
function timeOf({ facts }: Reading): string | null {
  for (const { name, value } of facts) {
    const [label, zone] = /^Time(?: \(([\w/+-]{1,40})\))?$/u.exec(name) ?? [];
    if (label !== undefined) return timeIn(value, zone);
  }
  return null;
}

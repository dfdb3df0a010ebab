import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import type { MessageContent } from '../message.ts';
import { plainText, toDescription, toErrorMessage, toTitle, withoutMarkup } from '../slack-text.ts';
import { type Alert, type AlertKind, emptyAlert } from '../types.ts';

const LINE = /^\W*Monitor is (DOWN|UP|PAUSED|STARTED): ([^\n]{1,2000})/iu;
const TARGET = /^(.*) \( ?(\S*?) ?\)(.*)$/u;
const KINDS: Readonly<Record<string, AlertKind>> = { DOWN: 'firing', UP: 'resolved' };

/** UptimeRobot's one line of text. */
export const uptimerobot: Format = { name: 'uptimerobot', tool: 'UptimeRobot', extract };

/** `Monitor is DOWN: name ( address )`. The address is what is watched, not the alert's page. */
function extract({ person, message, attachments }: MessageContent): Alert | null {
  if (person) return null;
  const texts = [
    message.text,
    ...attachments.flatMap((one) => [one.pretext, one.title, one.text, one.fallback]),
  ];
  const text = texts.find((one) => LINE.test(withoutMarkup(plainText(one)))) ?? '';
  const [, state, rest] = LINE.exec(withoutMarkup(plainText(text))) ?? [];
  if (state === undefined || rest === undefined) return null;

  const [, name = rest, , after = ''] = TARGET.exec(rest) ?? [];
  const title = toTitle(name);
  return {
    ...emptyAlert('uptimerobot'),
    kind: KINDS[state.toUpperCase()] ?? 'not_an_alert',
    title,
    description: toDescription(text, title),
    errorMessage: toErrorMessage(/\bReason: ?(.+)$/u.exec(after)?.[1] ?? null),
    fingerprint: fingerprintOf('uptimerobot', name.trim()),
  };
}

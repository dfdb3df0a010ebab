import { blank } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Format } from '../../format.ts';
import type { Reading } from '../../message-content.ts';
import { bare, plain } from '../../slack-text.ts';
import type { Alert, AlertKind } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';

const LINE = /^\W*Monitor is (DOWN|UP|PAUSED|STARTED): ([^\n]{1,2000})/iu;
const TARGET = /^(.*) \( ?(\S*?) ?\)(.*)$/u;
const KINDS: Readonly<Record<string, AlertKind>> = { DOWN: 'firing', UP: 'resolved' };

/** UptimeRobot's one line of text. */
export const uptimerobot: Format = { name: 'uptimerobot', tool: 'UptimeRobot', extract };

/** `Monitor is DOWN: name ( address )`. The address is what is watched, not the alert's page. */
function extract({ person, message, attachments }: Reading): Alert | null {
  if (person) return null;
  const texts = [
    message.text,
    ...attachments.flatMap((one) => [one.pretext, one.title, one.text, one.fallback]),
  ];
  const text = texts.find((one) => LINE.test(bare(plain(one)))) ?? '';
  const [, state, rest] = LINE.exec(bare(plain(text))) ?? [];
  if (state === undefined || rest === undefined) return null;

  const [, name = rest, , after = ''] = TARGET.exec(rest) ?? [];
  const title = titleOf(name);
  return {
    ...blank('uptimerobot'),
    kind: KINDS[state.toUpperCase()] ?? 'not_an_alert',
    title,
    description: descriptionOf(text, title),
    errorMessage: messageOf(/\bReason: ?(.+)$/u.exec(after)?.[1] ?? null),
    fingerprint: fingerprintOf('uptimerobot', name.trim()),
  };
}

import { blank } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Format } from '../../format.ts';
import { attachmentText, type Reading } from '../../message-content.ts';
import type { Attachment } from '../../schema.ts';
import { bare, plain } from '../../slack-text.ts';
import { colorState } from '../../state.ts';
import { isoTime } from '../../timestamps.ts';
import type { Alert, AlertKind, Severity } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';

const HEAD = /^(\S{1,253}) (needs attention|is critical|recovered|status unknown)\b/u;
const STATES: Readonly<Record<string, [AlertKind, Severity | null]>> = {
  'needs attention': ['firing', 'medium'],
  'is critical': ['firing', 'high'],
  recovered: ['resolved', null],
};
/** How long it went on, which Netdata adds when it ends or gets worse. */
const DURATION = /\((?:alarm (?:was|is) raised|was \w+) for [^()\n]{1,80}\)$/u;

/** Netdata's agent, by its own notification script. */
export const netdata: Format = { name: 'netdata', tool: 'Netdata', extract };

/**
 * A change of an alert's state: `host needs attention`, and an attachment named `summary = value`. Without the text the
 * bar's colour tells the state, and nothing the severity.
 */
function extract({ person, names, message, attachments }: Reading): Alert | null {
  if (person) return null;
  const part = attachments.find((one) => isNetdatas(one, names));
  const [, said, word] = HEAD.exec(bare(plain(message.text.split('\n', 1)[0] ?? ''))) ?? [];
  if (part === undefined || (word === undefined && !isLinked(part))) return null;

  const host = hostOf(part, names) ?? said ?? null;
  const summary = plain(part.title)
    .trim()
    .replace(DURATION, '')
    .replace(/ = [^=\n]*$/u, '')
    .trim();
  const chart = plain(part.fields[0]?.title ?? '');
  const title = titleOf(summary || chart);
  const [kind, severity] =
    word === undefined
      ? [colorState(part.color) ?? ('not_an_alert' as const), null]
      : (STATES[word] ?? ['not_an_alert', null]);
  return {
    ...blank('netdata'),
    kind,
    title,
    description: descriptionOf(
      `${message.text}\n${attachmentText({ ...part, title: '', fields: [], footer: '' })}`,
      title,
    ),
    severity,
    triggeredAt: isoTime((part.ts ?? Number.NaN) * 1000),
    alertUrl: part.title_link || null,
    host,
    errorMessage: messageOf(plain(part.text)),
    fingerprint: fingerprintOf('netdata', host ?? '', chart, summary),
  };
}

function isNetdatas(part: Attachment, names: readonly string[]): boolean {
  return isLinked(part) || names.some((name) => /^netdata\b/iu.test(name));
}

function isLinked({ title_link }: Attachment): boolean {
  return title_link.includes('/registry-alert-redirect.html');
}

function hostOf({ footer }: Attachment, names: readonly string[]): string | null {
  const named = names
    .map((name) => /^netdata on (\S+)$/iu.exec(name)?.[1])
    .find((host) => host !== undefined);
  return /^by (\S+)$/u.exec(plain(footer).trim())?.[1] ?? named ?? null;
}

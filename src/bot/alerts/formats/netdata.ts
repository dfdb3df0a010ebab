import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { type Attachment, attachmentText, type MessageContent } from '../message.ts';
import { plainText, toDescription, toErrorMessage, toTitle, withoutMarkup } from '../slack-text.ts';
import { colorState } from '../state.ts';
import { isoTimestamp } from '../timestamps.ts';
import { type Alert, type AlertKind, emptyAlert, type Severity } from '../types.ts';

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
 * bar's color tells the state, and nothing the severity.
 */
function extract({ person, names, message, attachments }: MessageContent): Alert | null {
  if (person) return null;
  const part = attachments.find((one) => isNetdatas(one, names));
  const [, statedHost, word] =
    HEAD.exec(withoutMarkup(plainText(message.text.split('\n', 1)[0] ?? ''))) ?? [];
  if (part === undefined || (word === undefined && !isLinked(part))) return null;

  const host = hostOf(part, names) ?? statedHost ?? null;
  const summary = plainText(part.title)
    .trim()
    .replace(DURATION, '')
    .replace(/ = [^=\n]*$/u, '')
    .trim();
  const chart = plainText(part.fields[0]?.title ?? '');
  const title = toTitle(summary || chart);
  const [kind, severity] =
    word === undefined
      ? [colorState(part.color) ?? ('not_an_alert' as const), null]
      : (STATES[word] ?? ['not_an_alert', null]);
  return {
    ...emptyAlert('netdata'),
    kind,
    title,
    description: toDescription(
      `${message.text}\n${attachmentText({ ...part, title: '', fields: [], footer: '' })}`,
      title,
    ),
    severity,
    triggeredAt: isoTimestamp((part.ts ?? Number.NaN) * 1000),
    alertUrl: part.title_link || null,
    host,
    errorMessage: toErrorMessage(plainText(part.text)),
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
  return /^by (\S+)$/u.exec(plainText(footer).trim())?.[1] ?? named ?? null;
}

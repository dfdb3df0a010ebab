import { z } from 'zod';
import { compoundState } from '../compounds.ts';
import { factsOf } from '../facts.ts';
import type { ReceivedAlert } from '../format.ts';
import type { MessageContent } from '../message.ts';
import { namesIn } from '../names.ts';
import { plainText, withoutMarkup, withoutUrls } from '../slack-text.ts';
import { slackColorOf } from '../state.ts';
import type { Alert } from '../types.ts';
import { ANNOUNCEMENT_MARKERS } from '../vocabulary.ts';
import { sentenceState, stateFromFields } from '../wording.ts';

/** What is kept of a message to learn how its sender writes: its lines, and how it was read at first sight. */
export const Observation = z.object({
  /** Its lines from top to bottom, without markup. A field is `label: value`. */
  lines: z.array(z.string()),
  color: z.string().nullable(),
  /** The sign at the start of its first line. */
  sign: z.string().nullable().default(null),
  kind: z.enum(['firing', 'resolved', 'not_an_alert']),
  fingerprint: z.string().nullable(),
  environment: z.string().nullable(),
  /** The tool itself states which problem it is. */
  isStated: z.boolean(),
  /** What its title names, if it is an alert at first sight: messages of other subjects are never about one problem. */
  subject: z.array(z.string()).default([]),
  /** Which of its lines say that something fails. */
  failing: z.array(z.number()).default([]),
});
export type Observation = z.output<typeof Observation>;

const SIGN = /^[\s>*_]*(:[\w+-]{2,40}:|\p{Extended_Pictographic})/u;
const MAX_LINES = 30;
const MAX_LINE = 300;

/** What a message shows. Only messages that no tool's own format reads are learned from. */
export function observationOf(content: MessageContent, alert: Alert): Observation {
  const lines = withoutUrls(content.body)
    .split('\n')
    .map((line) => withoutMarkup(plainText(line)).trim());
  const color = content.attachments.map((one) => slackColorOf(one.color)).find((one) => one !== null) ?? null;
  const shown = joined(lines);
  return {
    ...readingOf(alert),
    lines: shown,
    subject: alert.kind === 'not_an_alert' ? [] : namesIn(alert.title ?? '').sort(),
    color,
    sign: SIGN.exec(content.body)?.[1] ?? null,
    failing: shown.flatMap((line, at) => (isFailing(line) ? [at] : [])),
  };
}

/** The same of an alert that a webhook brought. */
export function observationOfReport({ alert, labels }: Pick<ReceivedAlert, 'alert' | 'labels'>): Observation {
  const { title, description, basis } = alert;
  const values = [...(basis?.by ?? []), ...(basis?.left ?? [])].filter(({ key }) => key !== 'title');
  const fields = [...Object.entries(labels), ...values.map(({ key, text }) => [key, text] as const)];
  const text = description === title ? [] : (description ?? '').split('\n');
  const shown = joined([title ?? '', ...text, ...new Set(fields.map(([key, value]) => `${key}: ${value}`))]);
  return {
    ...readingOf(alert),
    ...(basis?.isStated === true ? { isStated: true } : {}),
    lines: shown,
    subject: alert.kind === 'not_an_alert' ? [] : namesIn(title ?? '').sort(),
    color: null,
    sign: null,
    failing: shown.flatMap((line, at) => (isFailing(line) ? [at] : [])),
  };
}

function readingOf({ format, kind, fingerprint, environment, basis, isNameless }: Alert) {
  const isStated =
    format !== 'generic' || (fingerprint !== null && basis === undefined && isNameless !== true);
  return { kind, fingerprint, environment, isStated };
}

function isFailing(line: string): boolean {
  const sentence = sentenceState(line);
  if (sentence !== null) return sentence.state === 'firing' && sentence.isMeasured !== true;
  const fields = factsOf(line).filter(({ value }) => !ANNOUNCEMENT_MARKERS.has(value.toLowerCase()));
  return compoundState(line) === 'firing' || stateFromFields(fields, [])?.verdict === 'firing';
}

/** Lines with the value of a label that stands alone behind it. */
function joined(lines: readonly string[]): string[] {
  const found: string[] = [];
  for (const line of lines.filter((one) => /[\p{L}\p{N}\p{S}]/u.test(one)).slice(0, MAX_LINES)) {
    const label = found.at(-1);
    if (label?.endsWith(':') === true && label.length < 40)
      found[found.length - 1] = `${label} ${line}`.slice(0, MAX_LINE);
    else found.push(line.slice(0, MAX_LINE));
  }
  return found;
}

import { z } from 'zod';
import type { MessageContent } from '../message.ts';
import { plainText, withoutMarkup, withoutUrls } from '../slack-text.ts';
import { slackColorOf } from '../state.ts';
import type { Alert } from '../types.ts';
import { sentenceState } from '../wording.ts';

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
  /** Its words say that something fails. */
  isFailing: z.boolean(),
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
    color,
    sign: SIGN.exec(content.body)?.[1] ?? null,
    isFailing: isFailing(shown),
  };
}

function readingOf({ format, kind, fingerprint, environment, basis, isNameless }: Alert) {
  const isStated =
    format !== 'generic' || (fingerprint !== null && basis === undefined && isNameless !== true);
  return { kind, fingerprint, environment, isStated };
}

function isFailing(lines: readonly string[]): boolean {
  return lines.some((line) => {
    const sentence = sentenceState(line);
    return sentence?.state === 'firing' && sentence.isMeasured !== true;
  });
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

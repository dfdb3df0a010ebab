import { emptyAlert } from '../../empty-alert.ts';
import { normalizedName } from '../../facts.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { MessageContent } from '../../message-content.ts';
import type { Attachment } from '../../schema.ts';
import { plainText, withoutMarkup } from '../../slack-text.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import type { Alert } from '../../types.ts';

const SENTENCE = /\bAWS Backup (?:\w+ )?job\b/iu;
const FAILED = /\b(?:failed|expired|aborted|stopped)\b/iu;

/** A job of AWS Backup. Label and value are fields of their own; a success does not end a failure (guide, section 5). */
export function extractBackup(content: MessageContent): Alert | null {
  for (const part of content.attachments) {
    const heads = [part.title, ...part.fields.map((field) => field.title), part.text];
    const title = toTitle(plainText(heads.find((head) => SENTENCE.test(head)) ?? ''));
    if (title === null) continue;
    const pairs = pairsOf(part);
    const values = part.fields.map(({ value }) => withoutMarkup(plainText(value)));
    const resource = values.find((value) => /^arn:/u.test(value) && !value.includes('recovery-point')) ?? '';
    const account = values.find((value) => /^\d{12}$/u.test(value)) ?? '';
    const failed = FAILED.test(title);
    return {
      ...emptyAlert('aws'),
      kind: failed ? 'firing' : 'not_an_alert',
      title,
      description: toDescription([...pairs].map(([name, value]) => `*${name}:* ${value}`).join('\n'), title),
      region: /^arn:[\w-]+:[\w-]+:([a-z\d-]+):/u.exec(resource)?.[1] ?? null,
      errorMessage: failed ? toErrorMessage(pairs.get('status message') ?? null) : null,
      fingerprint: failed ? fingerprintOf('aws', 'backup', account, resource, withoutMarkup(title)) : null,
    };
  }
  return null;
}

/** Labels with their values, which stand in the same field, or in the next one. */
function pairsOf({ fields }: Attachment): Map<string, string> {
  const pairs = new Map<string, string>();
  let label = '';
  for (const { title, value } of fields) {
    const words = withoutMarkup(plainText(value)).trim();
    if (title !== '' && words !== '') pairs.set(normalizedName(title), words);
    else if (value.startsWith('`') && label !== '') pairs.set(normalizedName(label), words);
    label = title === '' && !value.startsWith('`') ? words : '';
  }
  return pairs;
}

import { blank } from '../../empty-alert.ts';
import { nameOf } from '../../facts.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Reading } from '../../message-content.ts';
import type { Attachment } from '../../schema.ts';
import { bare, plain } from '../../slack-text.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';

const SENTENCE = /\bAWS Backup (?:\w+ )?job\b/iu;
const FAILED = /\b(?:failed|expired|aborted|stopped)\b/iu;

/** A job of AWS Backup. Label and value are fields of their own; a success does not end a failure (guide, section 5). */
export function extractBackup(reading: Reading): Alert | null {
  for (const part of reading.attachments) {
    const heads = [part.title, ...part.fields.map((field) => field.title), part.text];
    const title = titleOf(plain(heads.find((head) => SENTENCE.test(head)) ?? ''));
    if (title === null) continue;
    const pairs = pairsOf(part);
    const values = part.fields.map(({ value }) => bare(plain(value)));
    const resource = values.find((value) => /^arn:/u.test(value) && !value.includes('recovery-point')) ?? '';
    const account = values.find((value) => /^\d{12}$/u.test(value)) ?? '';
    const failed = FAILED.test(title);
    return {
      ...blank('aws'),
      kind: failed ? 'firing' : 'not_an_alert',
      title,
      description: descriptionOf([...pairs].map(([name, value]) => `*${name}:* ${value}`).join('\n'), title),
      region: /^arn:[\w-]+:[\w-]+:([a-z\d-]+):/u.exec(resource)?.[1] ?? null,
      errorMessage: failed ? messageOf(pairs.get('status message') ?? null) : null,
      fingerprint: failed ? fingerprintOf('aws', 'backup', account, resource, bare(title)) : null,
    };
  }
  return null;
}

/** Labels with their values, which stand in the same field, or in the next one. */
function pairsOf({ fields }: Attachment): Map<string, string> {
  const pairs = new Map<string, string>();
  let label = '';
  for (const { title, value } of fields) {
    const words = bare(plain(value)).trim();
    if (title !== '' && words !== '') pairs.set(nameOf(title), words);
    else if (value.startsWith('`') && label !== '') pairs.set(nameOf(label), words);
    label = title === '' && !value.startsWith('`') ? words : '';
  }
  return pairs;
}

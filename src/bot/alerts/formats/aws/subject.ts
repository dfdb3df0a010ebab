import { alarmed } from '../../cloudwatch.ts';
import type { Reading } from '../../reading.ts';
import { plain } from '../../slack-text.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, titleOf } from '../../words.ts';

const SUBJECT = /^\s*(ALARM|OK|INSUFFICIENT_DATA): "([^"\n]{1,255})" in ([^\n]{2,60})$/u;

/** CloudWatch's mail, forwarded as it is: the subject is `ALARM: "name" in EU (Ireland)`. */
export function extractSubject({ attachments, message }: Reading): Alert | null {
  for (const part of [...attachments, { title: message.text, text: '', fields: [] }]) {
    const [, state, name, region] = SUBJECT.exec(plain(part.title)) ?? [];
    if (state === undefined || name === undefined || region === undefined) continue;
    const words = part.fields.map(({ value }) => value).find((value) => value !== '') ?? '';
    const reason = plain(words).trim() || null;
    const alert = alarmed('aws', {
      name,
      state,
      account: null,
      region: region.trim(),
      reason,
      alertUrl: null,
    });
    return { ...alert, description: descriptionOf(words, titleOf(name)) };
  }
  return null;
}

import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { attachmentDetails, type MessageContent } from '../message.ts';
import { plainText, toDescription, toErrorMessage, toTitle, withoutMarkup } from '../slack-text.ts';
import { type Alert, emptyAlert } from '../types.ts';

/** Operators choose the card's title, not this sentence. */
const SENTENCE =
  /^An alert for (.{1,300}?) has been (triggered due to having failed|resolved after passing successfully) \d{1,6} time\(s\) in a row/u;
const FAILED_CONDITION = /^(?::x:|❌) - (.{1,500})$/gmu;

/** Gatus, by its own Slack provider. */
export const gatus: Format = { name: 'gatus', tool: 'Gatus', extract };

/** `An alert for *group/endpoint* has been triggered …`, with a description and the conditions below it. */
function extract({ person, attachments }: MessageContent): Alert | null {
  if (person) return null;
  const card = attachments.find(({ text }) => SENTENCE.test(withoutMarkup(plainText(text))));
  const [, endpoint, change] = SENTENCE.exec(withoutMarkup(plainText(card?.text ?? ''))) ?? [];
  if (card === undefined || endpoint === undefined || change === undefined) return null;

  const title = toTitle(endpoint);
  const conditions = card.fields.map(({ value }) => plainText(value)).join('\n');
  const failed = [...conditions.matchAll(FAILED_CONDITION)].map(([, condition = '']) =>
    withoutMarkup(condition),
  );
  return {
    ...emptyAlert('gatus'),
    kind: change.startsWith('resolved') ? 'resolved' : 'firing',
    title,
    description: toDescription(attachmentDetails(card), title),
    errorMessage: toErrorMessage(failed.join('\n')),
    fingerprint: fingerprintOf('gatus', endpoint),
  };
}

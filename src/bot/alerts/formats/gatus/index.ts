import { blank } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Format } from '../../format.ts';
import { detailsOf, type Reading } from '../../message-content.ts';
import { bare, plain } from '../../slack-text.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';

/** Operators choose the card's title, not this sentence. */
const SENTENCE =
  /^An alert for (.{1,300}?) has been (triggered due to having failed|resolved after passing successfully) \d{1,6} time\(s\) in a row/u;
const FAILED_CONDITION = /^(?::x:|❌) - (.{1,500})$/gmu;

/** Gatus, by its own Slack provider. */
export const gatus: Format = { name: 'gatus', tool: 'Gatus', extract };

/** `An alert for *group/endpoint* has been triggered …`, with a description and the conditions below it. */
function extract({ person, attachments }: Reading): Alert | null {
  if (person) return null;
  const card = attachments.find(({ text }) => SENTENCE.test(bare(plain(text))));
  const [, endpoint, change] = SENTENCE.exec(bare(plain(card?.text ?? ''))) ?? [];
  if (card === undefined || endpoint === undefined || change === undefined) return null;

  const title = titleOf(endpoint);
  const conditions = card.fields.map(({ value }) => plain(value)).join('\n');
  const failed = [...conditions.matchAll(FAILED_CONDITION)].map(([, condition = '']) => bare(condition));
  return {
    ...blank('gatus'),
    kind: change.startsWith('resolved') ? 'resolved' : 'firing',
    title,
    description: descriptionOf(detailsOf(card), title),
    errorMessage: messageOf(failed.join('\n')),
    fingerprint: fingerprintOf('gatus', endpoint),
  };
}

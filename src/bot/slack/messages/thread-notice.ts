import { lateAnswersAskedFor, offerToAnswer, stoppedListening } from '../../render/asking/thread-notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import { payloadOf } from '../../store/intents/payloads.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { ContentSource } from './source.ts';

/** Notices in a conversation's thread, beside its answers. */
export const threadNotice: ContentSource = async (row, { store }) => ({
  kind: 'messages',
  parts: [await rendered(row, store)],
  channel: row.channel,
  threadTs: row.threadTs,
});

async function rendered(row: OutboxRow, store: Store): Promise<Rendered> {
  const said = payloadOf('aside', row);
  if (said.aside === 'not_listening') return stoppedListening(said.who, row.channel.startsWith('D'));
  const late = await store.questions.offeredBy(row.key);
  if (late.length === 0) return lateAnswersAskedFor(said.by ?? null);
  return offerToAnswer(row.key, late);
}

import type { WebClient } from '@slack/web-api';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import { readPayload } from '../messages/dm.ts';
import { openDm } from '../open-dm.ts';

/** Slack's names for a channel that the bot cannot post in, although the person may be there. */
const NOT_THERE = new Set(['not_in_channel', 'channel_not_found']);
/** Somebody deleted the thread, or the answer itself: nobody wants it elsewhere. */
export const DELETED: ReadonlySet<string> = new Set(['thread_gone', 'thread_not_found', 'message_not_found']);

/**
 * What Slack refuses in a channel goes to the DM of the person who asked for it (DESIGN section 3): a card or answer
 * where the bot is no member, an answer for whatever reason.
 *
 * @returns true when the intent has been sent on its way to the DM.
 */
export async function sendToPerson(
  row: OutboxRow,
  error: string,
  { store, client }: { store: Store; client: WebClient },
): Promise<boolean> {
  const payload = readPayload(row);
  if (!goesElsewhere(row, error) || payload.requester === undefined || payload.insteadOf !== undefined)
    return false;
  const dm = await openDm(client, payload.requester);
  if (dm === null || dm === row.channel) return false;
  const because = NOT_THERE.has(error) ? {} : { because: error };
  await store.outbox.redirect(
    row.key,
    dm,
    JSON.stringify({ ...payload, insteadOf: row.channel, ...because }),
  );
  return true;
}

function goesElsewhere(row: OutboxRow, error: string): boolean {
  if (row.kind === 'answer') return !DELETED.has(error);
  // A card that stands was answer enough.
  return NOT_THERE.has(error) && row.sent === '[]';
}

import type { WebClient } from '@slack/web-api';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import { readPayload } from '../contents/dm.ts';
import { openDm } from '../open-dm.ts';

/** Slack's names for a channel that the bot cannot post in, although the person may be there. */
const NOT_THERE = new Set(['not_in_channel', 'channel_not_found']);

/**
 * Where the bot is no member, a card or answer goes to the person's DM (DESIGN section 3).
 *
 * @returns true when the intent has been sent on its way to the DM.
 */
export async function sendToPerson(
  row: OutboxRow,
  error: string,
  { store, client }: { store: Store; client: WebClient },
): Promise<boolean> {
  const payload = readPayload(row);
  if (!NOT_THERE.has(error) || payload.requester === undefined || payload.insteadOf !== undefined)
    return false;
  const dm = await openDm(client, payload.requester);
  if (dm === null) return false;
  await store.outbox.redirect(row.key, dm, JSON.stringify({ ...payload, insteadOf: row.channel }));
  return true;
}

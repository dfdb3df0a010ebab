import { readablePayloadOf } from '../store/intents/payloads.ts';
import type { Aggregates } from '../store/open.ts';
import type { OutboxRow } from '../store/outbox.ts';

/** The message in whose thread a short card stands, from the payload of its intent; `null` where it cannot be read. */
export function messageOfCard(card: Pick<OutboxRow, 'payload'>): { channel: string; ts: string } | null {
  return readablePayloadOf('short_card', card)?.alert ?? null;
}

/** Whether a channel has a short card of an issue, under a message that still counts for the issue. */
export async function hasShortCard(tx: Aggregates, issueId: string, channel: string): Promise<boolean> {
  for (const card of await tx.outbox.shortCards(issueId)) {
    const message = messageOfCard(card);
    if (message?.channel !== channel) continue;
    const row = await tx.alerts.find(message.channel, message.ts);
    // Not recorded yet: its decision is being taken in this very transaction.
    if (row === null || row.issueId === issueId) return true;
  }
  return false;
}

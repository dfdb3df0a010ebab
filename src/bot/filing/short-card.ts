import { readablePayloadOf } from '../store/intents/payloads.ts';
import type { Aggregates } from '../store/open.ts';
import type { OutboxRow } from '../store/outbox.ts';

/** The message in whose thread a short card is posted, from its intent's payload; `null` if that is damaged. */
export function messageOfCard(card: Pick<OutboxRow, 'payload'>): { channel: string; ts: string } | null {
  return readablePayloadOf('short_card', card)?.alert ?? null;
}

/** Whether a channel has a short card for an issue, under a message that still counts toward it. */
export async function hasShortCard(tx: Aggregates, issueId: string, channel: string): Promise<boolean> {
  for (const card of await tx.outbox.shortCards(issueId)) {
    const message = messageOfCard(card);
    if (message?.channel !== channel) continue;
    const row = await tx.alerts.find(message.channel, message.ts);
    // Not recorded yet: it is being decided in this very transaction.
    if (row === null || row.issueId === issueId) return true;
  }
  return false;
}

import type { Aggregates } from '../store/open.ts';

/**
 * Asks for the rolling message of a hold, or for an edit of it.
 *
 * @param since when its first alert was posted, in milliseconds
 */
export async function wantHeldMessage(
  tx: Aggregates,
  hold: string,
  channel: string,
  at: number,
  since = at,
): Promise<void> {
  const payload = JSON.stringify({ hold });
  await tx.outbox.want({ key: `held:${hold}`, kind: 'held', channel, threadTs: null, payload, at, since });
}

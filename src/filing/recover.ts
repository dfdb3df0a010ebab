import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import type { Decided } from './seen.ts';
import { withdrawSuggestions } from './suggest.ts';

/** Why a recovery is nothing to us; its alert may still come, where Slack delivers it later. */
export const UNFILED = 'a recovery, and no issue of it is open';

/** The alert is over: noted on the card, or the issue is resolved where the channel that it lives in says so. */
export async function recover(tx: Aggregates, open: Issue, now: number): Promise<Decided> {
  const { settings } = await tx.channels.get(open.channel);
  const resolves = settings.onRecovery === 'resolve' && open.status !== 'resolved';
  await tx.issues.update(open.id, {
    recovered_at: now,
    ...(resolves ? { wanted_status: 'resolved' } : {}),
    ...(resolves && open.state === 'created' ? { next_at: now } : {}),
  });
  await tx.outbox.refreshCards(open.id);
  // Another channel may only have suggested it.
  if (open.identity !== null) await withdrawSuggestions(tx, open.identity);
  const reason = resolves
    ? 'the alert recovered, which resolves its issue, as its channel is set'
    : 'the alert recovered; noted on the card';
  return { decision: 'recovered', reason, issueId: open.id };
}

/** A recovery of what was never filed: alerts that wait in a hold, or with a *File it* button, wait no more. */
export async function recoverUnfiled(tx: Aggregates, identity: string): Promise<Decided> {
  const held = await tx.alerts.waiting(identity);
  for (const row of held) {
    await tx.alerts.settle(row.id, {
      outcome: 'recovered',
      decision: 'held',
      reason: `${row.reason}; it recovered while it was held`,
      issueId: null,
    });
  }
  for (const hold of new Set(held.map((row) => row.hold_id))) await tx.outbox.again(`held:${hold}`);
  const suggested = await withdrawSuggestions(tx, identity);
  if (suggested > 0 && held.length === 0) {
    return { decision: 'recovered', reason: 'the alert recovered before anybody filed it', issueId: null };
  }
  return held.length > 0
    ? { decision: 'recovered', reason: 'the alert recovered while it was held', issueId: null }
    : { decision: 'ignored', reason: UNFILED, issueId: null };
}

import type { Aggregates } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';

/**
 * What is kept of a message cannot be read, however often it is tried: it is given up, and its thread (or its channel)
 * is told once, however many there are.
 */
export async function endUnreadable(tx: Aggregates, row: OutboxRow, now: number): Promise<void> {
  await tx.outbox.dead(row.key, 'unreadable');
  // Who misses an emoji misses nothing.
  if (row.kind === 'reaction') return;
  const issue = row.issue_id === null ? null : await tx.issues.get(row.issue_id);
  const threadTs = row.thread_ts ?? (issue?.channel === row.channel ? issue.thread_ts : null);
  const key = `unreadable:${row.channel}:${threadTs ?? ''}`;
  if ((await tx.outbox.get(key)) !== null) return;
  await tx.outbox.want({
    key,
    kind: 'announcement',
    channel: row.channel,
    threadTs,
    payload: JSON.stringify({ what: 'unreadable' }),
    at: now,
    since: row.created_at,
  });
}

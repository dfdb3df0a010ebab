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
  const issue = row.issueId === null ? null : await tx.issues.get(row.issueId);
  const threadTs = row.threadTs ?? (issue?.channel === row.channel ? issue.threadTs : null);
  const key = `unreadable:${row.channel}:${threadTs ?? ''}`;
  if ((await tx.outbox.get(key)) !== null) return;
  await tx.outbox.want({
    key,
    kind: 'announcement',
    channel: row.channel,
    threadTs,
    payload: JSON.stringify({ what: 'unreadable' }),
    at: now,
    since: row.createdAt,
  });
}

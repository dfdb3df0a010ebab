import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { recover, UNFILED } from './recover.ts';
import type { Seen } from './seen.ts';

/** Slack delivers again for minutes, and a channel that cannot be read is read within the hour. */
const LATE_MS = 60 * 60_000;

/**
 * Whether a recovery was overtaken by the next alert: that was written after it, and came before it. An edit is as old
 * as its message, and says nothing of that.
 */
export async function isOvertaken(tx: Aggregates, seen: Seen, open: Issue): Promise<boolean> {
  if (seen.edited) return false;
  const [newest] = await tx.alerts.ofIssue(open.id, 1, seen.channel);
  return newest !== undefined && newest.ts > seen.ts;
}

/** Where its recovery came before the alert itself, the issue that was just filed has recovered. */
export async function recoverIfOver(
  tx: Aggregates,
  seen: Seen,
  { issueId, identity }: { issueId: string; identity: string },
  now: number,
): Promise<void> {
  const recoveries = await tx.alerts.ignoredFor(identity, UNFILED, {
    channel: seen.channel,
    since: now - LATE_MS,
  });
  const issue = await tx.issues.get(issueId);
  if (issue && recoveries.some(({ ts }) => ts > seen.ts)) await recover(tx, issue, now);
}

import type { AlertRow } from '../store/alerts.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import type { AlertIdentity } from './alert-identity.ts';
import { LATE_MS, newestFiring } from './firing.ts';
import { recover, UNFILED } from './recover.ts';
import { countRepeat, wantShortCard } from './repeat.ts';
import type { ChannelMessage, DecisionResult } from './seen.ts';

/**
 * Whether a recovery was overtaken by the next alert: that was written after it, and came before it. An edit is as old
 * as its message, and says nothing of that.
 */
export async function isOutOfOrder(tx: Aggregates, seen: ChannelMessage, open: Issue): Promise<boolean> {
  if (seen.edited) return false;
  const [newest] = await tx.alerts.ofIssue(open.id, 1, seen.channel);
  return newest !== undefined && newest.ts > seen.ts;
}

/**
 * Whether an alert, as it was written, comes after an edit of it that shows its recovery, or only tells something of it:
 * the alert itself is still to be decided on.
 */
export function isSupersededByEdit(earlier: AlertRow, { edited, alert }: ChannelMessage): boolean {
  if (edited || alert.kind !== 'firing' || earlier.holdId !== null) return false;
  return earlier.kind === 'not_an_alert' || (earlier.kind === 'resolved' && earlier.reason === UNFILED);
}

/**
 * The recovery that came before the alert which it ends: it was written after it, or is an edit of it, and the alert has
 * not fired again since. `null` where the alert fires still.
 */
export async function recoveryBefore(
  tx: Aggregates,
  seen: ChannelMessage,
  identity: string,
  now: number,
): Promise<AlertRow | null> {
  if (seen.edited) return null;
  const { channel, ts } = seen;
  const since = now - LATE_MS;
  const recovery = await tx.alerts.newestRecovery(identity, { channel, since, unfiled: UNFILED });
  if (recovery === null || recovery.ts < ts) return null;
  const firing = await newestFiring(tx, identity, channel, now);
  return firing !== null && firing.ts > recovery.ts ? null : recovery;
}

/** What was just filed, or counted, has recovered already: its recovery came before it. */
export async function recoverAfterAll(tx: Aggregates, issueId: string | null, at: number): Promise<void> {
  const issue = issueId === null ? null : await tx.issues.get(issueId);
  if (issue) await recover(tx, issue, at);
}

/** Whether a tool said in the thread of an alert that it is over, before the alert itself came. */
export function isOverInThread(
  tx: Aggregates,
  { channel, ts, alert }: ChannelMessage,
  now: number,
): Promise<boolean> {
  return tx.alerts.wasIgnoredIn({ channel, ts, format: alert.format }, UNFILED, now - LATE_MS);
}

/** An alert whose recovery came before it, and has ended its issue: it is counted there, and opens nothing again. */
export async function countOnEnded(
  tx: Aggregates,
  seen: ChannelMessage,
  problem: AlertIdentity,
  recovery: AlertRow,
  now: number,
): Promise<DecisionResult | null> {
  const issue = recovery.issueId === null ? null : await tx.issues.get(recovery.issueId);
  if (issue?.status !== 'resolved' || issue.joinedInto !== null) return null;
  await countRepeat(tx, issue, problem, now);
  await tx.issues.apply(issue.id, transitions.keepRecovery(issue));
  await wantShortCard(tx, seen, issue, now);
  return {
    decision: 'repeat',
    reason: 'arrived late: the alert has recovered since, which resolved its issue',
    issueId: issue.id,
  };
}

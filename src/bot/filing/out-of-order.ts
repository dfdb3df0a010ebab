import type { AlertRow } from '../store/alerts.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import type { AlertIdentity } from './alert-identity.ts';
import type { ChannelMessage, DecisionResult } from './channel-message.ts';
import { LATE_MS, newestFiring } from './firing.ts';
import { recover, UNFILED } from './recover.ts';
import { countRepeat, wantShortCard } from './repeat.ts';

/**
 * Whether a recovery was overtaken by the next firing, which was posted after it but arrived before it. An edit has its
 * message's `ts`, so its time is unknown.
 */
export async function isOutOfOrder(tx: Aggregates, seen: ChannelMessage, open: Issue): Promise<boolean> {
  return !seen.edited && (await tx.alerts.countsAfter(open.id, seen));
}

/**
 * Whether an alert arrives after its own edit, which shows its recovery or a note; the alert itself is not decided yet.
 */
export function isSupersededByEdit(earlier: AlertRow, { edited, alert }: ChannelMessage): boolean {
  if (edited || alert.kind !== 'firing' || earlier.holdId !== null) return false;
  return earlier.kind === 'not_an_alert' || (earlier.kind === 'resolved' && earlier.reason === UNFILED);
}

/**
 * A recovery that arrived before the alert it ends: it was posted after the alert, or is an edit of it, and the alert
 * has not fired again since. `null` if the alert is still firing.
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
  const recovery = await tx.alerts.newestRecovery(identity, { channel, since, from: ts, unfiled: UNFILED });
  if (recovery === null) return null;
  const firing = await newestFiring(tx, identity, channel, now);
  return firing !== null && firing.ts > recovery.ts ? null : recovery;
}

/** Marks the alert just filed or counted as recovered, because its recovery arrived first. */
export async function recoverAfterAll(tx: Aggregates, issueId: string | null, at: number): Promise<void> {
  const issue = issueId === null ? null : await tx.issues.get(issueId);
  if (issue) await recover(tx, issue, at);
}

/** Whether a tool reported in an alert's thread that it is over, before the alert itself arrived. */
export function isOverInThread(
  tx: Aggregates,
  { channel, ts, alert }: ChannelMessage,
  now: number,
): Promise<boolean> {
  return tx.alerts.wasIgnoredIn({ channel, ts, format: alert.format }, UNFILED, now - LATE_MS);
}

/** An alert whose recovery arrived first and ended its issue: it counts toward that issue, and reopens nothing. */
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

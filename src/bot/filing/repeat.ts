import { shortCardIntent } from '../store/intents/issue-intents.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import type { AlertIdentity } from './alert-identity.ts';
import type { ChannelMessage, DecisionResult } from './channel-message.ts';
import { isMoreSevere } from './severity.ts';
import { hasShortCard } from './short-card.ts';
import { statusToReturnTo } from './status-before.ts';

/** The same alert while its issue is open: the card counts it, and a second channel gets a short card. */
export async function repeat(
  tx: Aggregates,
  seen: ChannelMessage,
  problem: AlertIdentity | null,
  open: Issue,
  now: number,
): Promise<DecisionResult> {
  await countRepeat(tx, open, problem, now);
  await wantShortCard(tx, seen, open, now);
  return { decision: 'repeat', reason: 'the same alert already has an open issue', issueId: open.id };
}

/** Counts one more firing. */
export async function countRepeat(
  tx: Aggregates,
  open: Issue,
  problem: AlertIdentity | null,
  now: number,
): Promise<void> {
  await raiseSeverity(tx, open, problem);
  const standing = statusToReturnTo({ ...open, statusBefore: open.status }, now);
  await tx.issues.apply(open.id, transitions.countRepeat(open, standing, now));
  await tx.outbox.refreshCards(open.id);
}

/** An escalation raises the severity that the card shows; nothing lowers it. */
export async function raiseSeverity(
  tx: Aggregates,
  open: Issue,
  problem: Pick<AlertIdentity, 'severity'> | null,
): Promise<void> {
  if (problem === null || !isMoreSevere(problem.severity, open.raisedSeverity ?? open.severity)) return;
  await tx.issues.apply(open.id, transitions.raiseSeverity(problem.severity));
  await tx.outbox.refreshCards(open.id);
}

/** Requests a short card for a channel that the issue does not live in, once per channel. */
export async function wantShortCard(
  tx: Aggregates,
  seen: Pick<ChannelMessage, 'channel' | 'ts' | 'threadTs'>,
  issue: Issue,
  now: number,
): Promise<void> {
  if (seen.channel === issue.channel || (await hasShortCard(tx, issue.id, seen.channel))) return;
  await tx.outbox.want(shortCardIntent(issue.id, seen, now));
  if (issue.endedVersion > 0) await tx.outbox.wantVerdicts(issue.id, issue.endedVersion, now);
}

import type { Clock } from '../../lib/clock.ts';
import { type IssueNumber, issueNumber } from '../../lib/issue-number.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { mayBeShownIn } from './privacy.ts';
import { wantShortCard } from './repeat.ts';
import { isMoreSevere } from './severity.ts';

/** At most this many messages are read to find their channels. */
const MANY = 1_000;

/** Why an issue cannot be attached to another. */
export type CannotAttach = 'unknown' | 'itself' | 'closed' | 'private' | 'attached';

/** *Attach to another issue*: somebody says that two issues are one problem. */
export interface Attachment {
  issueId: string;
  /** The number of the issue to attach it to. */
  number: IssueNumber;
  by: string;
}

/**
 * Attaches an issue to another one. Its alerts, past and future, count toward that one, and it is resolved at the
 * service. If it is already attached there, nothing changes.
 *
 * @returns why it cannot be attached; `null` once it is.
 */
export function attach(
  wish: Attachment,
  { store, clock }: { store: Store; clock: Clock },
): Promise<CannotAttach | null> {
  return store.transaction(async (tx) => {
    const issue = await tx.issues.get(wish.issueId);
    const target = await tx.issues.byNumber(wish.number);
    if (!issue || !target) return 'unknown';
    if (issue.joinedInto === target.id) return null;
    const refusal = await cannotAttach(tx, issue, target);
    if (refusal === null) await join(tx, issue, target, wish.by, clock.now());
    return refusal;
  });
}

async function cannotAttach(tx: Aggregates, issue: Issue, target: Issue): Promise<CannotAttach | null> {
  if (target.id === issue.id) return 'itself';
  if (issue.joinedInto !== null) return 'attached';
  if (!(await mayBeShownIn(tx, target.channel, issue.channel))) return 'private';
  return target.isOpen && target.joinedInto === null ? null : 'closed';
}

async function join(tx: Aggregates, issue: Issue, target: Issue, by: string, now: number): Promise<void> {
  const identity = target.identity ?? `issue:${target.id}`;
  if (issue.identity !== null) {
    await tx.identityOverrides.join(issue.identity, identity);
    await tx.alerts.heldBecome({ identity: issue.identity }, identity);
  }
  const rows = await tx.alerts.ofIssue(issue.id, MANY);
  const filed = rows.filter(({ decision }) => decision === 'filed').length;
  await tx.alerts.moveAll(issue.id, {
    issueId: target.id,
    identity,
    reason: `somebody attached its issue, ${named(issue)}, to ${named(target)}`,
  });
  await closeJoined(tx, issue, target, by, now);
  const raised = issue.raisedSeverity ?? issue.severity;
  const taken = {
    identity,
    repeats: target.repeats + issue.repeats + filed,
    lastRepeatAt: rows.length > 0 ? Math.max(target.lastRepeatAt ?? 0, lastOf(issue)) : target.lastRepeatAt,
    raisedSeverity: isMoreSevere(raised, target.raisedSeverity ?? target.severity)
      ? raised
      : target.raisedSeverity,
  };
  await tx.issues.apply(target.id, transitions.absorb(taken));
  await tx.audit.add({
    at: now,
    who: by,
    what: `attached ${named(issue)} to it`,
    issueId: target.id,
  });
  // The other issue's results are posted in the threads of these messages too, one per channel.
  for (const channel of new Set(rows.map((row) => row.channel))) {
    const newest = rows.find((row) => row.channel === channel);
    if (newest) await wantShortCard(tx, { ...newest, threadTs: newest.threadTs }, target, now);
  }
  await tx.outbox.refreshCards(issue.id);
  await tx.outbox.refreshCards(target.id);
}

async function closeJoined(
  tx: Aggregates,
  issue: Issue,
  target: Issue,
  by: string,
  now: number,
): Promise<void> {
  const what = `attached it to ${named(target)}`;
  await tx.issues.apply(issue.id, transitions.attachTo(issue, { id: target.id, what }, { by, at: now }));
  await tx.audit.add({ at: now, who: by, what, issueId: issue.id });
}

function lastOf(issue: Issue): number {
  return issue.lastRepeatAt ?? issue.createdAt;
}

function named(issue: Issue): string {
  const number = issueNumber(issue);
  return number === null ? 'an issue without a number' : `#${number}`;
}

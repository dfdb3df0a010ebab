import type { AlertRow } from '../store/alerts.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { alertIdentity, severityOf } from './alert-identity.ts';
import type { DecideOptions } from './channel-message.ts';
import { recordDecision } from './consider.ts';
import { fileAlert } from './file.ts';
import { type LimitReached, limitReached, type PersonLimit } from './person-limit.ts';
import { issueIdOf } from './reference.ts';
import { wantShortCard } from './repeat.ts';
import { isMoreSevere } from './severity.ts';
import { alertOf, seenOfRow } from './stored-alert.ts';

/** At most this many messages are read to find the highest severity. */
const MANY = 1_000;

/** *Split off*: a repeat that a person files as its own issue. */
export interface SplitRequest {
  issueId: string;
  /** The message that the issue counts as a repeat. */
  channel: string;
  ts: string;
  permalink: string | null;
  by: string;
  /** What caused the request; repeating it changes nothing. */
  cause: string;
}

/**
 * Splits off a repeat: it becomes an issue of its own, which alerts with the same detail belong to from now on.
 *
 * @returns the id of the new issue; `null` if the message does not belong to the issue (anymore); the limit if the
 * person has reached it.
 */
export function splitIssue(
  wish: SplitRequest,
  options: Omit<DecideOptions, 'maxIssuesPerDay'> & PersonLimit & { store: Store },
): Promise<string | LimitReached | null> {
  return options.store.transaction(async (tx) => {
    const now = options.clock.now();
    const row = await tx.alerts.find(wish.channel, wish.ts);
    const issue = await tx.issues.get(wish.issueId);
    if (!row || !issue || row.issueId !== issue.id || row.decision !== 'repeat') return null;
    const reached = await limitReached(tx, wish.by, options, now);
    if (reached) return reached;
    const { settings } = await tx.channels.get(row.channel);
    const seen = seenOfRow(row, wish.permalink);
    const known = await alertIdentity(tx, seen.alert, settings, options.defaultEnvironment);
    const apart = issueIdOf('apart', wish.channel, wish.ts, wish.cause);
    const problem = known === null ? null : { ...known, identity: `${known.ownIdentity}#${apart}` };
    if (known && problem) {
      await tx.identityOverrides.apart(known.ownIdentity, known.detail, problem.identity);
      await tx.alerts.heldBecome({ identity: known.identity, detail: known.detail }, problem.identity);
    }
    const toFile = { ...seen, problem, requestedBy: wish.by, eyes: true, again: wish.cause };
    const issueId = await fileAlert(tx, toFile, settings, options);
    await tx.issues.apply(issueId, transitions.splitFrom(issue));
    const reason = 'somebody split it off from the issue it was counted toward';
    await recordDecision(tx, seen, problem, { decision: 'filed', reason, issueId }, now);
    await withoutRepeat(tx, issue, row);
    await tx.audit.add({ at: now, who: wish.by, what: 'split off a repeat', issueId: issue.id });
    await tx.audit.add({ at: now, who: wish.by, what: 'split it off', issueId });
    await tx.outbox.refreshCards(issue.id);
    await shortCardForOthers(tx, issue, row.channel, now);
    return issueId;
  });
}

/** The issue counts one message less, as if it had never arrived. */
async function withoutRepeat(tx: Aggregates, issue: Issue, row: AlertRow): Promise<void> {
  const rest = await tx.alerts.ofIssue(issue.id, MANY);
  const last = rest.find(({ decision }) => decision === 'repeat');
  const wasHidden = issue.status === 'muted' && row.decidedAt >= issue.statusSince;
  const left = {
    lastRepeatAt: last?.decidedAt ?? null,
    wasHidden,
    raisedSeverity: await raisedBy(tx, issue, rest),
  };
  await tx.issues.apply(issue.id, transitions.discountRepeat(issue, left));
}

/** The highest severity of the messages, stated or from their channel, if it is above the issue's own. */
async function raisedBy(tx: Aggregates, issue: Issue, rows: readonly AlertRow[]): Promise<string | null> {
  let highest: string | null = null;
  for (const row of rows) {
    const { settings } = await tx.channels.get(row.channel);
    const severity = severityOf(alertOf(row), settings);
    if (isMoreSevere(severity, highest ?? issue.severity)) highest = severity;
  }
  return highest;
}

/** If the removed message's thread had the short card, the next message of that channel gets one. */
async function shortCardForOthers(tx: Aggregates, issue: Issue, channel: string, now: number): Promise<void> {
  const [next] = await tx.alerts.ofIssue(issue.id, 1, channel);
  if (next) await wantShortCard(tx, { ...next, threadTs: next.threadTs }, issue, now);
}

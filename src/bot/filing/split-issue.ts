import type { AlertRow } from '../store/alerts.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { alertIdentity, severityOf } from './alert-identity.ts';
import { recordDecision } from './consider.ts';
import { fileAlert } from './file.ts';
import { type LimitReached, limitReached, type PersonLimit } from './person-limit.ts';
import { issueIdOf } from './reference.ts';
import { wantShortCard } from './repeat.ts';
import type { DecideOptions } from './seen.ts';
import { isMoreSevere } from './severity.ts';
import { alertOf, seenOfRow } from './stored-alert.ts';

/** More messages than this are not read through for the highest severity. */
const MANY = 1_000;

/** *Split off*: a repeat that a person files apart. */
export interface SplitRequest {
  issueId: string;
  /** The message, which the issue counts as a repeat. */
  channel: string;
  ts: string;
  permalink: string | null;
  by: string;
  /** What caused it, so that the same wish again changes nothing. */
  cause: string;
}

/**
 * Files a repeat apart: an issue of its own, to which alerts of the same detail belong from now on.
 *
 * @returns our id of the new issue; `null` where the message does not belong to the issue (any more); the person's limit
 * where they have reached it.
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

/** The issue counts one message less, as if it had never come. */
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

/** The highest severity that any of the messages states or has from its channel, where it is above the issue's own. */
async function raisedBy(tx: Aggregates, issue: Issue, rows: readonly AlertRow[]): Promise<string | null> {
  let highest: string | null = null;
  for (const row of rows) {
    const { settings } = await tx.channels.get(row.channel);
    const severity = severityOf(alertOf(row), settings);
    if (isMoreSevere(severity, highest ?? issue.severity)) highest = severity;
  }
  return highest;
}

/** Where the short card stood in the thread that went, the next message of that channel gets one. */
async function shortCardForOthers(tx: Aggregates, issue: Issue, channel: string, now: number): Promise<void> {
  const [next] = await tx.alerts.ofIssue(issue.id, 1, channel);
  if (next) await wantShortCard(tx, { ...next, threadTs: next.threadTs }, issue, now);
}

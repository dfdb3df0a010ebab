import type { Clock } from '../../lib/clock.ts';
import { type IssueNumber, issueNumber } from '../shared/issue-number.ts';
import { isMoreSevere } from '../shared/severity.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { storedReason } from '../store/reasons.ts';
import { recordDecision } from './carry-out.ts';
import { fileAlert, wantShortCard } from './file.ts';
import { alertIdentity } from './identity.ts';
import { type DecideOptions, seenOfRow } from './occurrence.ts';
import { type LimitReached, limitReached, type PersonLimit } from './on-request.ts';
import { mayBeShownIn } from './privacy.ts';
import { issueIdOf } from './reference.ts';
import { signFiled } from './sign.ts';
import { shortCardForOthers, withoutRepeat } from './without-repeat.ts';

/** At most this many messages are read to find the highest severity. */
const MANY = 1_000;

/** *These are two problems*: a repeat that a person files as its own issue. */
interface SplitRequest {
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
    // Two problems are two incidents as well, whatever their results have in common.
    if (problem !== null && issue.identity !== null)
      await tx.identityOverrides.teachIncident([problem.identity, issue.identity], 'apart');
    await recordDecision(tx, seen, problem, { decision: 'filed', reason: 'split_off', issueId }, now);
    await signFiled(tx, row, issueId);
    await withoutRepeat(tx, issue, row);
    await tx.audit.add({ at: now, who: wish.by, what: 'split off a repeat', issueId: issue.id });
    await tx.audit.add({ at: now, who: wish.by, what: 'split it off', issueId });
    await tx.outbox.refreshCards(issue.id);
    await shortCardForOthers(tx, issue, row.channel, now);
    return issueId;
  });
}

/** Why an issue cannot be attached to another. */
type CannotAttach = 'unknown' | 'itself' | 'closed' | 'private' | 'attached';

/** *The same problem*: somebody says that two issues are one problem. */
interface Attachment {
  issueId: string;
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
    if (refusal !== null) return refusal;
    const services = [issue.service, target.service];
    const isOneProblem = services.includes(null) || issue.service === target.service;
    const work = isOneProblem ? join : unite;
    await work(tx, issue, target, wish.by, clock.now());
    return null;
  });
}

async function cannotAttach(tx: Aggregates, issue: Issue, target: Issue): Promise<CannotAttach | null> {
  if (target.id === issue.id) return 'itself';
  if (issue.joinedInto !== null) return 'attached';
  if (!(await mayBeShownIn(tx, target.channel, issue.channel))) return 'private';
  return target.isOpen && target.joinedInto === null ? null : 'closed';
}

/** Alerts of two services are one incident: both stay issues, and are one when they fire together again. */
async function unite(tx: Aggregates, issue: Issue, target: Issue, by: string, now: number): Promise<void> {
  const head = target.symptomOf === null ? target : ((await tx.issues.get(target.symptomOf)) ?? target);
  if (head.id === issue.id) return;
  await tx.issues.moveSymptoms(issue.id, head.id);
  await tx.issues.apply(issue.id, transitions.joinIncident(head.id));
  await teachIncident(tx, issue, head, 'together');
  await tx.audit.add({
    at: now,
    who: by,
    what: `made it a symptom of ${issueName(head)}`,
    issueId: issue.id,
  });
  await tx.outbox.refreshCards(issue.id);
  await tx.outbox.refreshCards(head.id);
}

/**
 * *These are two problems* of a symptom: it becomes an issue of its own, with its own verdict, and is not a symptom of that issue's alert
 * again.
 *
 * @returns false if it is no symptom (anymore)
 */
export function leaveIncident(
  { issueId, by }: { issueId: string; by: string },
  { store, clock }: { store: Store; clock: Clock },
): Promise<boolean> {
  return store.transaction(async (tx) => {
    const issue = await tx.issues.get(issueId);
    const head = issue?.symptomOf == null ? null : await tx.issues.get(issue.symptomOf);
    if (issue === null || head === null) return false;
    await tx.issues.apply(issue.id, transitions.joinIncident(null));
    await teachIncident(tx, issue, head, 'apart');
    const what = `took it out of the incident of ${issueName(head)}`;
    await tx.audit.add({ at: clock.now(), who: by, what, issueId });
    await tx.outbox.refreshCards(issue.id);
    await tx.outbox.refreshCards(head.id);
    return true;
  });
}

async function teachIncident(tx: Aggregates, one: Issue, other: Issue, lesson: 'together' | 'apart') {
  if (one.identity === null || other.identity === null) return;
  await tx.identityOverrides.teachIncident([one.identity, other.identity], lesson);
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
    reason: storedReason({ code: 'attached', issue: numberOf(issue), to: numberOf(target) }),
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
    what: `attached ${issueName(issue)} to it`,
    issueId: target.id,
  });
  // The other issue's results are posted in the threads of these messages too, one per channel.
  for (const channel of new Set(rows.map((row) => row.channel))) {
    const newest = rows.find((row) => row.channel === channel);
    if (newest) await wantShortCard(tx, { ...newest, threadTs: newest.threadTs }, target, now);
  }
  await tx.issues.moveSymptoms(issue.id, target.symptomOf ?? target.id);
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
  const what = `attached it to ${issueName(target)}`;
  await tx.issues.apply(issue.id, transitions.attachTo(issue, { id: target.id, what }, { by, at: now }));
  await tx.audit.add({ at: now, who: by, what, issueId: issue.id });
}

function lastOf(issue: Issue): number {
  return issue.lastRepeatAt ?? issue.createdAt;
}

function issueName(issue: Issue): string {
  return numberOf(issue) ?? 'an issue without a number';
}

function numberOf(issue: Issue): string | null {
  const number = issueNumber(issue);
  return number === null ? null : `#${number}`;
}

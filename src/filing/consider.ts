import type { Alert } from '../alerts/types.ts';
import type { Clock } from '../lib/clock.ts';
import type { IssueCreate } from '../service/schema/issue.ts';
import type { Decision } from '../store/alerts.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { canonicalEnvironment, identityOf } from './identity.ts';
import { issueIdOf } from './reference.ts';
import { requestForAlert } from './request.ts';

/** A message in a watched channel, as parsed. */
export interface Seen {
  channel: string;
  ts: string;
  permalink: string | null;
  alert: Alert;
  /** Written by a person: automatic filing reads tools only. */
  byPerson: boolean;
  /** The message was edited since (many tools show a recovery that way): decided by its present state. */
  edited: boolean;
}

export interface Decided {
  decision: Decision;
  reason: string;
  issueId: string | null;
}

export interface ConsiderOptions {
  store: Store;
  clock: Clock;
  defaultEnvironment: string;
}

/**
 * Decides what becomes of a message and keeps the decision with its reason, the issue, and what is to be
 * said in Slack, all in one transaction (DESIGN section 4, *Filing*). The same message again changes nothing.
 */
export function considerMessage(seen: Seen, options: ConsiderOptions): Promise<Decided> {
  return options.store.transaction(async (tx) => {
    // Not even recorded: where it overtook the message itself, that is still to be decided.
    if (seen.edited && seen.alert.kind === 'not_an_alert') {
      return { decision: 'ignored', reason: 'an edit that reports nothing new', issueId: null };
    }
    const earlier = await tx.alerts.find(seen.channel, seen.ts);
    if (earlier && (!seen.edited || saysTheSame(earlier, seen.alert))) {
      return { decision: 'ignored', reason: 'this message was decided before', issueId: earlier.issueId };
    }
    const decided = await decide(tx, seen, earlier?.issueId ?? null, options);
    await tx.alerts.record({
      channel: seen.channel,
      ts: seen.ts,
      decision: decided.decision,
      reason: decided.reason,
      kind: seen.alert.kind,
      format: seen.alert.format,
      fingerprint: seen.alert.fingerprint,
      issueId: decided.issueId,
      alert: JSON.stringify(seen.alert),
      decidedAt: options.clock.now(),
    });
    return decided;
  });
}

/** An edit such as a link's preview changes nothing of what the message reports. */
function saysTheSame(earlier: { kind: string; fingerprint: string | null }, alert: Alert): boolean {
  return earlier.kind === alert.kind && earlier.fingerprint === alert.fingerprint;
}

async function decide(
  tx: Aggregates,
  seen: Seen,
  earlierIssue: string | null,
  options: ConsiderOptions,
): Promise<Decided> {
  const { alert } = seen;
  if (alert.kind === 'not_an_alert' || alert.fingerprint === null) {
    return { decision: 'not_an_alert', reason: 'the message reports no problem', issueId: earlierIssue };
  }
  if (seen.byPerson) {
    return {
      decision: 'ignored',
      reason: 'written by a person; only tools are filed by themselves',
      issueId: null,
    };
  }
  const environment = alert.environment?.trim() || options.defaultEnvironment;
  const identity = identityOf(alert.fingerprint, environment);
  const open = await tx.issues.openByIdentity(identity);
  if (alert.kind === 'resolved') return recovered(tx, open, options.clock.now());
  if (open) return repeat(tx, open, open.id === earlierIssue, options.clock.now());
  return file(tx, seen, identity, options);
}

async function recovered(tx: Aggregates, open: Issue | null, now: number): Promise<Decided> {
  if (!open) return { decision: 'ignored', reason: 'a recovery, and no issue of it is open', issueId: null };
  await tx.issues.update(open.id, { recovered_at: now });
  await tx.outbox.refreshCards(open.id);
  return { decision: 'recovered', reason: 'the alert recovered; noted on the card', issueId: open.id };
}

async function repeat(tx: Aggregates, open: Issue, sameMessage: boolean, now: number): Promise<Decided> {
  // Shown again in the message that had shown the recovery: it fires again.
  if (sameMessage && open.recovered_at === null)
    return { decision: 'filed', reason: 'an edit of the message that was filed', issueId: open.id };
  await tx.issues.repeated(open.id, now);
  await tx.outbox.refreshCards(open.id);
  return { decision: 'repeat', reason: 'an issue of the same alert is open', issueId: open.id };
}

async function file(
  tx: Aggregates,
  seen: Seen,
  identity: string,
  options: ConsiderOptions,
): Promise<Decided> {
  const { channel, ts, alert } = seen;
  const now = options.clock.now();
  // After an edit the message may cause a second issue (the first was resolved meanwhile): another id.
  const id = issueIdOf(channel, ts, ...(seen.edited ? [String(now)] : []));
  const request = requestForAlert(
    alert,
    { issueId: id, channel, ts, permalink: seen.permalink },
    { environment: options.defaultEnvironment, severity: 'medium', earlier: null },
  );
  await addIssue(tx, {
    id,
    identity,
    request,
    channel,
    threadTs: ts,
    requestedBy: null,
    source: alert.format,
    now,
  });
  await tx.outbox.want({
    key: `reaction:${channel}:${ts}:eyes`,
    kind: 'reaction',
    channel,
    threadTs: ts,
    issueId: id,
    payload: JSON.stringify({ name: 'eyes', ts }),
    at: now,
  });
  return { decision: 'filed', reason: 'a new alert', issueId: id };
}

/** Adds an issue to be created at the service, and asks for its card. */
export async function addIssue(
  tx: Aggregates,
  issue: {
    id: string;
    identity: string | null;
    request: IssueCreate;
    channel: string;
    threadTs: string | null;
    requestedBy: string | null;
    source: string | null;
    now: number;
  },
): Promise<boolean> {
  const { request, now } = issue;
  const added = await tx.issues.add({
    id: issue.id,
    identity: issue.identity,
    is_open: 1,
    state: 'pending',
    request: JSON.stringify(request),
    status: 'investigating',
    status_since: now,
    title: request.title,
    severity: request.severity ?? 'medium',
    environment: canonicalEnvironment(request.environment),
    service: request.context?.service ?? null,
    source: issue.source,
    alert_url: request.context?.alertUrl ?? null,
    channel: issue.channel,
    thread_ts: issue.threadTs,
    requested_by: issue.requestedBy,
    investigating_since: now,
    created_at: now,
  });
  if (!added) return false;
  await tx.outbox.want({
    key: `card:${issue.id}`,
    kind: 'card',
    channel: issue.channel,
    threadTs: issue.threadTs,
    issueId: issue.id,
    ...(issue.requestedBy === null ? {} : { payload: JSON.stringify({ requester: issue.requestedBy }) }),
    at: now,
  });
  return true;
}

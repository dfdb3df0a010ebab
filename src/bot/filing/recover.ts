import { compareTs } from '../shared/moment.ts';
import type { Act } from '../store/acts.ts';
import type { AlertRow } from '../store/alerts.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import { heldKey } from '../store/intents/keys.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { codeOf, isLook, storedReason } from '../store/reasons.ts';
import { countRepeat, raiseSeverity, statusToReturnTo } from './file.ts';
import type { AlertIdentity } from './identity.ts';
import { MINUTE_MS } from './limits.ts';
import type { Occurrence } from './occurrence.ts';
import { signAgain } from './sign.ts';
import { openSuggestions, withdrawSuggestions } from './throttle.ts';

/** The alert is over: notes it on the card, or resolves the issue if its channel is set to. */
export async function recover(tx: Aggregates, open: Issue, now: number): Promise<void> {
  const { settings } = await tx.channels.get(open.channel);
  await markRecovered(tx, open, settings.onRecovery === 'resolve' && open.status !== 'resolved', now);
}

export async function markRecovered(
  tx: Aggregates,
  open: Issue,
  resolves: boolean,
  now: number,
): Promise<void> {
  const { head, rest } = await incidentOf(tx, open);
  // An incident is over when the last of its alerts is; what somebody reported has no recovery.
  const isLast = rest.every(
    ({ recoveredAt, isOpen, source }) => recoveredAt !== null || !isOpen || source === null,
  );
  await tx.issues.apply(open.id, transitions.recover(open, resolves && (isLast || head.id !== open.id), now));
  if (isLast && head.id !== open.id && head.isOpen && head.recoveredAt !== null) {
    const { settings } = await tx.channels.get(head.channel);
    const resolvesHead = settings.onRecovery === 'resolve' && head.status !== 'resolved';
    await tx.issues.apply(head.id, transitions.recover(head, resolvesHead, head.recoveredAt));
  }
  await tx.outbox.refreshCards(open.id);
  // Another channel may only have suggested it.
  if (open.identity !== null) await withdrawSuggestions(tx, await openSuggestions(tx, open.identity));
}

/** The issue that leads an incident, and the others beside the one that is asked about. */
async function incidentOf(tx: Aggregates, issue: Issue): Promise<{ head: Issue; rest: Issue[] }> {
  const head = (issue.symptomOf === null ? null : await tx.issues.get(issue.symptomOf)) ?? issue;
  const all = [head, ...(await tx.issues.symptomsOf(head.id))];
  return { head, rest: all.filter(({ id }) => id !== issue.id) };
}

/** What somebody did to an issue's status after a given Slack timestamp; `null` if nobody did. */
export async function actedOnSince(
  tx: Pick<Aggregates, 'acts'>,
  { uuid }: Issue,
  ts: string,
): Promise<Act | null> {
  const act = uuid === null ? null : await tx.acts.newest(`issue:${uuid}`);
  return act?.ts != null && compareTs(ts, act.ts) < 0 ? act : null;
}

/** What waits for an alert that was never filed, and ends with its recovery. */
export interface Unfiled {
  kind: 'unfiled';
  held: readonly Pick<AlertRow, 'id' | 'channel' | 'ts' | 'holdId'>[];
  suggested: readonly Pick<AlertRow, 'id' | 'channel' | 'ts' | 'reason'>[];
  /** It has fired again since the recovery was posted. */
  firesAgain: boolean;
}

/** What a recovery without an issue ends. An edit has its message's `ts`, so its time is unknown. */
export async function unfiledOf(
  tx: Aggregates,
  { channel, ts, edited }: Pick<Occurrence, 'channel' | 'ts' | 'edited'>,
  identity: string,
  now: number,
): Promise<Unfiled> {
  const newest = edited ? null : await newestFiring(tx, identity, channel, now);
  const firesAgain = newest !== null && newest.ts > ts;
  const held = (await tx.alerts.held(identity)).filter(
    (row) => !(firesAgain && row.channel === channel && row.ts > ts),
  );
  const suggested = await openSuggestions(tx, identity, firesAgain ? channel : null);
  return { kind: 'unfiled', held, suggested, firesAgain };
}

/** A recovery of an alert that was never filed: it is no longer held or suggested. */
export async function endUnfiled(tx: Aggregates, { held, suggested }: Unfiled): Promise<void> {
  const ids = held.map(({ id }) => id);
  const reason = storedReason('held_then_recovered');
  await tx.alerts.settleAll(ids, { outcome: 'recovered', decision: 'held', reason, issueId: null });
  for (const hold of new Set(held.map((row) => row.holdId))) {
    if (hold !== null) await tx.outbox.again(heldKey(hold));
  }
  await signAgain(tx, held);
  await withdrawSuggestions(tx, suggested);
}

/** Reopens an issue whose alert fires again: it returns to its previous status, without a new investigation. */
export async function reopen(
  tx: Aggregates,
  last: Issue,
  identity: AlertIdentity | null,
  now: number,
): Promise<void> {
  const status = statusToReturnTo(last, now);
  await tx.issues.apply(last.id, transitions.reopen(status, 'Fired again and was reopened', now));
  await countRepeat(tx, { ...last, status }, identity, now);
}

/** Reopens an issue whose alert fires again after it was over: the service investigates it again. */
export async function lookAnew(
  tx: Aggregates,
  issue: Issue,
  identity: AlertIdentity | null,
  now: number,
): Promise<void> {
  await raiseSeverity(tx, issue, identity);
  await tx.issues.apply(issue.id, transitions.lookAnew(issue, now));
  await tx.outbox.refreshCards(issue.id);
}

/** What decides whether a firing of an issue's alert is investigated again; the minutes are those of the issue's channel. */
export interface Looks {
  /** When its alert recovered last, if it has not fired since. */
  recoveredAt: number | null;
  /** No investigation of it runs, and nobody has muted it. */
  isFree: boolean;
  /** Within the cool-down: how often its alert began to fire, and how many of these were investigated. */
  episodes: number;
  recent: number;
  coolDownMinutes: number;
  recoveryMinutes: number;
}

/** Far more than are looked at within a cool-down. */
const MOST_READ = 100;

/** What decides whether the next firing of an issue's alert is investigated again. */
export async function looksOf(
  tx: Pick<Aggregates, 'alerts' | 'issues' | 'results'>,
  issue: Issue,
  { coolDownMinutes, recoveryMinutes }: ChannelSettings,
  now: number,
): Promise<Looks> {
  const since = now - coolDownMinutes * MINUTE_MS;
  const rows = (await tx.alerts.ofIssue(issue.id, MOST_READ)).filter(({ decidedAt }) => decidedAt > since);
  const looked = rows.filter((row) => row.decision === 'filed' || isLook(row));
  const others = rows.filter(({ reason }) => ['flapping', 'fired_again'].includes(codeOf(reason)));
  const { recoveredAt, state, endedVersion, version, status, mutedUntil } = issue;
  const isMuted = status === 'muted' || (mutedUntil !== null && mutedUntil > now);
  return {
    recoveredAt,
    isFree: state === 'created' && endedVersion >= version && !isMuted,
    episodes: looked.length + others.length,
    recent: looked.length,
    coolDownMinutes,
    // What fires again although its cause was taken back, or what leads is over, fires for another reason.
    recoveryMinutes:
      recoveredAt !== null && ((await isChangedSince(tx, issue)) || (await isHeadOver(tx, issue)))
        ? 0
        : recoveryMinutes,
  };
}

async function isHeadOver({ issues }: Pick<Aggregates, 'issues'>, { symptomOf }: Issue): Promise<boolean> {
  const head = symptomOf === null ? null : await issues.get(symptomOf);
  return head !== null && head.source !== null && (head.recoveredAt !== null || !head.isOpen);
}

async function isChangedSince(
  { results }: Pick<Aggregates, 'results'>,
  { id, investigatingSince }: Issue,
): Promise<boolean> {
  const timeline = (await results.newest(id))?.timeline ?? [];
  return timeline.some(
    ({ type, timestamp }) => type === 'change' && Date.parse(timestamp ?? '') > investigatingSince,
  );
}

/**
 * Whether a recovery was overtaken by the next firing, which was posted after it but arrived before it.
 */
export function hasFiredSince(tx: Aggregates, seen: Occurrence, open: Issue): Promise<boolean> {
  return tx.alerts.countsAfter(open.id, seen);
}

/**
 * A recovery that arrived before the alert it ends: it was posted after the alert, or is an edit of it, and the alert
 * has not fired again since. `null` if the alert is still firing.
 */
export async function recoveryBefore(
  tx: Aggregates,
  seen: Occurrence,
  identity: string,
  now: number,
): Promise<AlertRow | null> {
  if (seen.edited) return null;
  const { channel, ts } = seen;
  const since = now - LATE_MS;
  const recovery = await tx.alerts.newestRecovery(identity, { channel, since, from: ts });
  if (recovery === null) return null;
  const firing = await newestFiring(tx, identity, channel, now);
  return firing !== null && firing.ts > recovery.ts ? null : recovery;
}

/** Slack redelivers for minutes, and a channel that could not be read is read within the hour. */
const LATE_MS = 60 * 60_000;

/** The newest recent message in which an alert fires in a channel; ignored messages do not count. */
function newestFiring(
  tx: Aggregates,
  identity: string,
  channel: string,
  now: number,
): Promise<AlertRow | null> {
  return tx.alerts.newestFiring(identity, { channel, since: now - LATE_MS });
}

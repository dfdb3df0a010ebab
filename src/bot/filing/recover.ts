import { compareTs } from '../../lib/moment.ts';
import type { Act } from '../store/acts.ts';
import type { AlertRow } from '../store/alerts.ts';
import { heldKey } from '../store/intents/keys.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import type { ChannelMessage, DecisionResult } from './channel-message.ts';
import { countRepeat, statusToReturnTo, wantShortCard } from './file.ts';
import type { AlertIdentity } from './identity.ts';
import { firedAgain, NOTED, RESOLVES, UNFILED } from './rules.ts';
import { withdrawSuggestions } from './throttle.ts';

/** The reason for a recovery that is older than the latest firing. */
export const CAME_LATE = 'a late recovery: the alert has fired again since';

/**
 * The alert is over: notes it on the card, or resolves the issue if its channel is set to, unless somebody has set its
 * status since.
 *
 * @param ts of the message that shows the recovery; `null` if the time of the recovery is unknown
 */
export async function recover(
  tx: Aggregates,
  open: Issue,
  now: number,
  ts: string | null = null,
): Promise<DecisionResult> {
  const { settings } = await tx.channels.get(open.channel);
  const isSteered = ts !== null && (await actedOnSince(tx, open, ts)) !== null;
  const resolves = settings.onRecovery === 'resolve' && open.status !== 'resolved' && !isSteered;
  await tx.issues.apply(open.id, transitions.recover(open, resolves, now));
  await tx.outbox.refreshCards(open.id);
  // Another channel may only have suggested it.
  if (open.identity !== null) await withdrawSuggestions(tx, open.identity);
  const reason = resolves ? RESOLVES : NOTED;
  return { decision: 'recovered', reason, issueId: open.id };
}

/** What somebody did to an issue's status after a given Slack timestamp; `null` if nobody did. */
async function actedOnSince(tx: Pick<Aggregates, 'acts'>, { uuid }: Issue, ts: string): Promise<Act | null> {
  const act = uuid === null ? null : await tx.acts.newest(`issue:${uuid}`);
  return act?.ts != null && compareTs(ts, act.ts) < 0 ? act : null;
}

/**
 * Handles a recovery of an alert that was never filed: it is no longer held or suggested, unless it has fired again
 * since the recovery was posted. An edit has its message's `ts`, so its time is unknown.
 */
export async function recoverUnfiled(
  tx: Aggregates,
  seen: ChannelMessage,
  identity: string,
  now: number,
): Promise<DecisionResult> {
  const { channel, ts, edited } = seen;
  const newest = edited ? null : await newestFiring(tx, identity, channel, now);
  const firesAgain = newest !== null && newest.ts > ts;
  const held = (await tx.alerts.waiting(identity)).filter(
    (row) => !(firesAgain && row.channel === channel && row.ts > ts),
  );
  for (const row of held) {
    await tx.alerts.settle(row.id, {
      outcome: 'recovered',
      decision: 'held',
      reason: `${row.reason}; recovered while on hold`,
      issueId: null,
    });
  }
  for (const hold of new Set(held.map((row) => row.holdId))) {
    if (hold !== null) await tx.outbox.again(heldKey(hold));
  }
  const suggested = await withdrawSuggestions(tx, identity, firesAgain ? channel : null);
  if (held.length > 0) return over('the alert recovered while it was held');
  if (suggested > 0) return over('the alert recovered before anybody filed it');
  return { decision: 'ignored', reason: firesAgain ? CAME_LATE : UNFILED, issueId: null };
}

function over(reason: string): DecisionResult {
  return { decision: 'recovered', reason, issueId: null };
}

/**
 * Reopens an issue whose alert fires again within the cool-down of the issue's channel: it returns to its previous
 * status, without a new investigation. An alert posted before somebody resolved the
 * issue, but delivered after that, reopens nothing.
 *
 * @returns `null` if there is no such issue, or it was resolved too long ago.
 */
export async function comeBack(
  tx: Aggregates,
  seen: ChannelMessage,
  problem: AlertIdentity,
  now: number,
): Promise<DecisionResult | null> {
  const last = await tx.issues.lastClosed(problem.identity);
  if (last?.status !== 'resolved' || last.joinedInto !== null) return null;
  if (!seen.edited && (await actedOnSince(tx, last, seen.ts)) !== null) {
    await countRepeat(tx, last, problem, now);
    await wantShortCard(tx, seen, last, now);
    const reason = 'arrived late: somebody has resolved its issue since';
    return { decision: 'repeat', reason, issueId: last.id };
  }
  const { settings } = await tx.channels.get(last.channel);
  const reason = firedAgain(last.statusSince, now, settings);
  if (reason === null) return null;
  const status = statusToReturnTo(last, now);
  await tx.issues.apply(last.id, transitions.reopen(status, 'Fired again and was reopened', now));
  await countRepeat(tx, { ...last, status }, problem, now);
  await wantShortCard(tx, seen, last, now);
  return { decision: 'repeat', reason, issueId: last.id };
}

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
  const recovery = await tx.alerts.newestRecovery(identity, { channel, since, from: ts });
  if (recovery === null) return null;
  const firing = await newestFiring(tx, identity, channel, now);
  return firing !== null && firing.ts > recovery.ts ? null : recovery;
}

/** Marks the alert just filed or counted as recovered, because its recovery arrived first. */
export async function recoverAfterAll(tx: Aggregates, issueId: string | null, at: number): Promise<void> {
  const issue = issueId === null ? null : await tx.issues.get(issueId);
  if (issue) await recover(tx, issue, at);
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

import type { AlertRow } from '../store/alerts.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Hold } from '../store/holds.ts';
import { filedSuggestion, heldIntent } from '../store/intents/issue-intents.ts';
import { heldKey, suggestionKey } from '../store/intents/keys.ts';
import type { Aggregates } from '../store/open.ts';
import { type IssueCounts, MINUTE_MS } from './limits.ts';
import { awaitsMessage, type DecideOptions, hasMessage, type Occurrence } from './occurrence.ts';
import { issueIdOf } from './reference.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
/** An alert joins the rolling message if that is younger than this; otherwise a new one is posted. */
const ROLLS_MS = 30 * MINUTE_MS;

/** What the limits on new issues count. */
export async function countsFor(
  tx: Pick<Aggregates, 'alerts' | 'issues'>,
  channel: string,
  { budget }: ChannelSettings,
  { clock }: DecideOptions,
): Promise<IssueCounts> {
  const now = clock.now();
  return {
    problemsInMinute: await tx.alerts.countProblemsSince(channel, now - MINUTE_MS),
    // Issues that people file, directly or from a held batch, do not use up the budget.
    filedInWindow: await tx.alerts.countFiledSince(channel, now - budget.minutes * MINUTE_MS),
    filedInDay: await tx.issues.countFromAlerts(now - DAY_MS),
  };
}

/** When the 24-hour limit has room for a new issue again (milliseconds); `null` if it has room now. */
export async function dayFreesAt(
  store: Pick<Aggregates, 'issues'>,
  maxIssuesPerDay: number,
): Promise<number | null> {
  const oldest = await store.issues.nthFromAlertsAt(maxIssuesPerDay);
  return oldest === null ? null : oldest + DAY_MS;
}

/** Whether alerts are being held in the channel right now. */
export async function isStorming(tx: Aggregates, channel: string, now: number): Promise<boolean> {
  return (await tx.holds.current(channel, false, now - MINUTE_MS)) !== null;
}

/**
 * Puts an alert on hold under the channel's rolling message, and returns the id of its batch. Alerts held by a pause are
 * offered when it ends.
 */
export async function hold(
  tx: Aggregates,
  { channel, ts }: Occurrence,
  reason: Hold['reason'],
  now: number,
): Promise<string> {
  const paused = reason === 'paused';
  const current = await tx.holds.current(channel, paused, paused ? 0 : now - ROLLS_MS);
  const id = current?.id ?? (await newHoldId(tx, channel, ts, now));
  if (current) await tx.holds.grow(id, now);
  else await tx.holds.add({ id, channel, reason, state: 'rolling', createdAt: now, lastAt: now });
  await wantHeld(tx, { id, reason }, { channel, ts }, now);
  return id;
}

/** Requests the message of a held batch: in a channel on trial it is in the thread of an alert, as soon as that has a message. */
export async function wantHeld(
  tx: Aggregates,
  { id, reason }: Pick<Hold, 'id' | 'reason'>,
  { channel, ts }: Pick<Occurrence, 'channel' | 'ts'>,
  now: number,
): Promise<void> {
  if (reason === 'paused' || reason === 'planned') return;
  const { settings } = await tx.channels.get(channel);
  const isOnTrial = settings.trial !== undefined;
  if (isOnTrial && awaitsMessage(ts)) return;
  const threadTs = isOnTrial && hasMessage(ts) ? ts : null;
  await tx.outbox.want(heldIntent(id, channel, now, { since: Number(ts) * 1_000, threadTs }));
}

/** One more firing of an alert that is on hold. */
export async function growHold(tx: Aggregates, holdId: string, now: number): Promise<void> {
  await tx.holds.grow(holdId, now);
  await tx.outbox.again(heldKey(holdId));
}

/**
 * An issue has its number, or a reason why not: every message that shows it is edited (its cards, and held-batch messages), and
 * the cards that waited for that are posted.
 */
export async function refreshIssue(tx: Aggregates, issueId: string): Promise<void> {
  await tx.outbox.releaseCards(issueId);
  await tx.outbox.refreshCards(issueId);
  for (const hold of await tx.alerts.holdsOf(issueId)) await tx.outbox.again(heldKey(hold));
}

/** Derived from its first message, so that its rolling message is found again if our record of it is lost. */
async function newHoldId(tx: Aggregates, channel: string, ts: string, now: number): Promise<string> {
  const first = issueIdOf('hold', channel, ts);
  // Edited since, and held again.
  return (await tx.holds.get(first)) === null ? first : issueIdOf('hold', channel, ts, String(now));
}

/** The suggestions that a channel has had. */
export interface OfferedBefore {
  /** The same alert's, within the cool-down; `isWithdrawn` once it has recovered. */
  before: { row: string; ts: string; isWithdrawn: boolean } | null;
  /** Of how many problems, in the last minute. */
  inMinute: number;
}

export async function offeredBefore(
  tx: Pick<Aggregates, 'alerts'>,
  channel: string,
  identity: string,
  { mode, coolDownMinutes }: ChannelSettings,
  now: number,
): Promise<OfferedBefore> {
  if (mode !== 'suggest') return { before: null, inMinute: 0 };
  const since = now - coolDownMinutes * MINUTE_MS;
  const [before] = await tx.alerts.ignoredFor(identity, 'suggested', { channel, since });
  return {
    before:
      before === undefined ? null : { row: before.id, ts: before.ts, isWithdrawn: before.outcome !== null },
    inMinute: await tx.alerts.countIgnoredSince(channel, 'suggested', now - MINUTE_MS),
  };
}

/** The *File it* button under a message comes back. */
export async function suggestAgain(
  tx: Aggregates,
  id: string,
  message: Pick<Occurrence, 'channel' | 'ts'>,
): Promise<void> {
  await tx.alerts.unsettle(id);
  await tx.outbox.again(suggestionKey(message));
}

/** Somebody filed the alert: its suggestions in that channel say so, and lose their buttons. */
export async function answerSuggestions(
  tx: Aggregates,
  { channel, ts }: Pick<Occurrence, 'channel' | 'ts'>,
  identity: string | null,
  came: { issueId: string; by: string; counted: boolean },
): Promise<void> {
  await answer(tx, { channel, ts }, came);
  if (identity === null) return;
  for (const row of await tx.alerts.ignoredFor(identity, 'suggested', { channel, since: 0 })) {
    if (row.ts === ts || row.outcome !== null) continue;
    await answer(tx, row, came);
    await tx.alerts.settleAll([row.id], {
      outcome: 'joined',
      decision: 'ignored',
      reason: row.reason,
      issueId: null,
    });
  }
}

async function answer(
  tx: Aggregates,
  message: Pick<Occurrence, 'channel' | 'ts'>,
  came: { issueId: string; by: string; counted: boolean },
): Promise<void> {
  await tx.outbox.about(came.issueId, filedSuggestion(message, came));
}

/**
 * The suggestions of an alert that nobody has answered.
 *
 * @param firesIn a channel in which it has fired again since its recovery
 */
export async function openSuggestions(
  tx: Pick<Aggregates, 'alerts'>,
  identity: string,
  firesIn: string | null = null,
): Promise<AlertRow[]> {
  const rows = await tx.alerts.ignoredFor(identity, 'suggested', { since: 0 });
  return rows.filter(({ outcome, channel }) => outcome === null && channel !== firesIn);
}

/** The alert recovered before anybody filed it: its suggestions say so. */
export async function withdrawSuggestions(
  tx: Aggregates,
  rows: readonly Pick<AlertRow, 'id' | 'channel' | 'ts' | 'reason'>[],
): Promise<void> {
  for (const row of rows) {
    const { id, reason } = row;
    await tx.alerts.settleAll([id], { outcome: 'recovered', decision: 'ignored', reason, issueId: null });
    await tx.outbox.again(suggestionKey(row));
  }
}

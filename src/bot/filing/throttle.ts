import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Hold } from '../store/holds.ts';
import { filedSuggestion, heldIntent, suggestionIntent } from '../store/intents/issue-intents.ts';
import { heldKey, type OutboxKey, suggestionKey } from '../store/intents/keys.ts';
import type { Aggregates } from '../store/open.ts';
import type { ChannelMessage, DecideOptions, DecisionResult } from './channel-message.ts';
import type { AlertIdentity } from './identity.ts';
import { issueIdOf } from './reference.ts';
import { heldBecause, MINUTE_MS, STORM, SUGGESTED, SUGGESTED_BEFORE, throttled } from './rules.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
/** An alert joins the rolling message if that is younger than this; otherwise a new one is posted. */
const ROLLS_MS = 30 * MINUTE_MS;

/** Why one more new issue would be too many now; `null` if it would not be. */
export async function throttleReason(
  tx: Pick<Aggregates, 'alerts' | 'issues'>,
  channel: string,
  settings: ChannelSettings,
  options: DecideOptions,
): Promise<'storm' | 'budget' | 'day' | null> {
  const now = options.clock.now();
  const counts = {
    problemsInMinute: await tx.alerts.countProblemsSince(channel, now - MINUTE_MS),
    // Issues that people file, directly or from a held batch, do not use up the budget.
    filedInWindow: await tx.alerts.countFiledSince(channel, now - settings.budget.minutes * MINUTE_MS),
    filedInDay: await tx.issues.countFromAlerts(now - DAY_MS),
  };
  return throttled(counts, settings, options);
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

/** Puts an alert on hold under the channel's rolling message. Alerts held by a pause are offered when it ends. */
export async function hold(
  tx: Aggregates,
  { channel, ts }: ChannelMessage,
  reason: Hold['reason'],
  settings: ChannelSettings,
  options: DecideOptions,
): Promise<DecisionResult> {
  const now = options.clock.now();
  const paused = reason === 'paused';
  const current = await tx.holds.current(channel, paused, paused ? 0 : now - ROLLS_MS);
  const id = current?.id ?? (await newHoldId(tx, channel, ts, now));
  if (current) await tx.holds.grow(id, now);
  else await tx.holds.add({ id, channel, reason, state: 'rolling', createdAt: now, lastAt: now });
  if (!paused) await tx.outbox.want(heldIntent(id, channel, now, Number(ts) * 1_000));
  return { decision: 'held', reason: heldBecause(reason, settings, options), issueId: null, holdId: id };
}

/** Requests an edit of every message that shows an issue: its cards, and held-batch messages. */
export async function refreshIssue(tx: Aggregates, issueId: string): Promise<void> {
  await tx.outbox.refreshCards(issueId);
  for (const hold of await tx.alerts.holdsOf(issueId)) await tx.outbox.again(heldKey(hold));
}

/** Derived from its first message, so that its rolling message is found again if our record of it is lost. */
async function newHoldId(tx: Aggregates, channel: string, ts: string, now: number): Promise<string> {
  const first = issueIdOf('hold', channel, ts);
  // Edited since, and held again.
  return (await tx.holds.get(first)) === null ? first : issueIdOf('hold', channel, ts, String(now));
}

/**
 * In suggest mode: a *File it* button under the alert, once per firing alert.
 *
 * @returns `null` in a storm, where buttons would flood the channel.
 */
export async function suggest(
  tx: Aggregates,
  seen: ChannelMessage,
  problem: AlertIdentity,
  { coolDownMinutes }: ChannelSettings,
  now: number,
): Promise<DecisionResult | null> {
  const [before] = await tx.alerts.ignoredFor(problem.identity, SUGGESTED, {
    channel: seen.channel,
    since: now - coolDownMinutes * MINUTE_MS,
  });
  if (before) {
    // It had recovered and fires again: its button comes back.
    if (before.outcome !== null) await offerAgain(tx, before.id, suggestionKey(before));
    return { decision: 'ignored', reason: SUGGESTED_BEFORE, issueId: null };
  }
  if ((await tx.alerts.countIgnoredSince(seen.channel, SUGGESTED, now - MINUTE_MS)) >= STORM) return null;
  await tx.outbox.want(suggestionIntent(seen, now));
  return { decision: 'ignored', reason: SUGGESTED, issueId: null };
}

async function offerAgain(tx: Aggregates, id: string, key: OutboxKey): Promise<void> {
  await tx.alerts.unsettle(id);
  await tx.outbox.again(key);
}

/** Somebody filed the alert: its suggestions in that channel say so, and lose their buttons. */
export async function answerSuggestions(
  tx: Aggregates,
  { channel, ts }: Pick<ChannelMessage, 'channel' | 'ts'>,
  identity: string | null,
  came: { issueId: string; by: string; counted: boolean },
): Promise<void> {
  await answer(tx, { channel, ts }, came);
  if (identity === null) return;
  for (const row of await tx.alerts.ignoredFor(identity, SUGGESTED, { channel, since: 0 })) {
    if (row.ts === ts || row.outcome !== null) continue;
    await answer(tx, row, came);
    await tx.alerts.settle(row.id, {
      outcome: 'joined',
      decision: 'ignored',
      reason: row.reason,
      issueId: null,
    });
  }
}

async function answer(
  tx: Aggregates,
  message: Pick<ChannelMessage, 'channel' | 'ts'>,
  came: { issueId: string; by: string; counted: boolean },
): Promise<void> {
  await tx.outbox.about(came.issueId, filedSuggestion(message, came));
}

/**
 * The alert recovered before anybody filed it: its suggestions say so.
 *
 * @param firesIn a channel in which it has fired again since
 * @returns how many there were.
 */
export async function withdrawSuggestions(
  tx: Aggregates,
  identity: string,
  firesIn: string | null = null,
): Promise<number> {
  const rows = await tx.alerts.ignoredFor(identity, SUGGESTED, { since: 0 });
  const standing = rows.filter(({ outcome, channel }) => outcome === null && channel !== firesIn);
  for (const row of standing) {
    await tx.alerts.settle(row.id, {
      outcome: 'recovered',
      decision: 'ignored',
      reason: row.reason,
      issueId: null,
    });
    await tx.outbox.again(suggestionKey(row));
  }
  return standing.length;
}

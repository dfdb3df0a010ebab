import type { ChannelSettings } from '../store/channel-settings.ts';
import { filedSuggestion, suggestionIntent } from '../store/intents/issue-intents.ts';
import { type OutboxKey, suggestionKey } from '../store/intents/keys.ts';
import type { Aggregates } from '../store/open.ts';
import type { AlertIdentity } from './alert-identity.ts';
import type { ChannelMessage, DecisionResult } from './channel-message.ts';
import { MINUTE_MS, STORM } from './throttle.ts';

const SUGGESTED = 'the channel is in suggest mode: the alert has a File it button';
const SUGGESTED_BEFORE = 'the channel is in suggest mode, and the same alert already has a File it button';
/** The reasons of alerts that were only suggested. */
export const SUGGESTIONS = [SUGGESTED, SUGGESTED_BEFORE] as const;

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

import type { Clock } from '../../lib/clock.ts';
import type { AlertRow } from '../store/alerts.ts';
import { eyesIntent, suggestionIntent } from '../store/intents/issue-intents.ts';
import type { Aggregates } from '../store/open.ts';
import { readReason } from '../store/reasons.ts';
import { awaitsMessage, seenOfRow } from './channel-message.ts';
import { placeIssue, wantShortCard } from './file.ts';
import { issueIdOf } from './reference.ts';
import { sign, signAgain } from './sign.ts';
import { isStorming, wantHeld } from './throttle.ts';

/** More were not counted while one message was posted. */
const MANY = 1_000;

interface PlaceOptions {
  clock: Clock;
  permalink: (channel: string, ts: string) => string;
}

/**
 * The message of a received alert is in Slack, and is recorded in this transaction: what was decided about the alert shows
 * there from now on, and its issue lives in the message's thread. One that waits for its decision is decided on there.
 */
export async function placeAlert(
  tx: Aggregates,
  received: string,
  at: { channel: string; ts: string },
  { clock, permalink }: PlaceOptions,
): Promise<void> {
  const { channel, ts } = at;
  const now = clock.now();
  const awaited = await tx.receivedAlerts.posted(received, channel, ts);
  if (awaited === null || !awaitsMessage(awaited)) return;
  const row = await tx.alerts.place({ channel, ts: awaited }, ts);
  for (const id of new Set([row?.issueId ?? null, issueIdOf(channel, awaited)])) {
    const issue = id === null ? null : await tx.issues.get(id);
    if (issue === null || issue.threadTs !== null || issue.requestedBy !== null) continue;
    if (issue.channel !== channel) continue;
    await placeIssue(tx, issue, at, permalink(channel, ts), now);
    // What was counted meanwhile led nowhere.
    await signAgain(tx, await tx.alerts.ofIssue(issue.id, MANY));
  }
  if (row !== null) await show(tx, row, now);
}

/** What became of an alert shows on its message. */
async function show(tx: Aggregates, row: AlertRow, now: number): Promise<void> {
  const { channel, decision, issueId } = row;
  const seen = seenOfRow(row, null);
  if (decision === 'filed' && issueId !== null && !(await isStorming(tx, channel, now))) {
    await tx.outbox.want(eyesIntent(issueId, seen, now));
  }
  if (decision === 'ignored' && row.reason === 'suggested' && row.outcome === null) {
    await tx.outbox.want(suggestionIntent(seen, now));
  }
  const hold = decision === 'held' && row.holdId !== null ? await tx.holds.get(row.holdId) : null;
  if (hold !== null) await wantHeld(tx, hold, seen, now);
  const issue = decision === 'repeat' && issueId !== null ? await tx.issues.get(issueId) : null;
  const hasCard = issue !== null && (await wantShortCard(tx, seen, issue, now));
  await sign(tx, seen, { decision, reason: readReason(row.reason), issueId }, { hasCard, now });
}

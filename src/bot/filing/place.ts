import { IssueCreate } from '../../contract/schema.ts';
import type { Clock } from '../../lib/clock.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { AlertRow } from '../store/alerts.ts';
import { eyesIntent, suggestionIntent } from '../store/intents/issue-intents.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { readReason, storedReason } from '../store/reasons.ts';
import { wantCard, wantShortCard } from './file.ts';
import { awaitsMessage, hasMessage, type Occurrence, seenOfRow, tsWithoutMessage } from './occurrence.ts';
import { issueIdOf } from './reference.ts';
import { placedRequest } from './request.ts';
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
  await tx.senders.place({ channel, ts: awaited }, ts);
  for (const id of new Set([row?.issueId ?? null, issueIdOf(channel, awaited)])) {
    const issue = await notPlaced(tx, id);
    if (issue?.channel === channel) await placeIssue(tx, issue, at, permalink(channel, ts), now);
  }
  if (row !== null) await show(tx, row, now);
}

/**
 * An issue whose own message is not in Slack yet, or cannot be posted, lives in the thread of the first message that it
 * counts; its own is a repeat of that. One of another channel does so only where both are public.
 *
 * @returns whether it does
 */
export async function takeOver(
  tx: Aggregates,
  { channel, ts, threadTs, permalink, alert }: Occurrence,
  issueId: string | null,
  now: number,
): Promise<boolean> {
  const issue = alert.kind === 'firing' && hasMessage(ts) ? await notPlaced(tx, issueId) : null;
  if (issue === null) return false;
  if (issue.channel !== channel) {
    const both = await Promise.all([issue.channel, channel].map((one) => tx.channels.get(one)));
    if (both.some(({ isPrivate }) => isPrivate)) return false;
  }
  for (const row of await tx.alerts.ofIssue(issue.id, MANY)) {
    if (row.decision === 'filed') {
      await tx.alerts.record({ ...row, decision: 'repeat', reason: storedReason('already_open') });
    }
  }
  await placeIssue(tx, issue, { channel, ts: threadTs ?? ts }, permalink, now);
  await tx.outbox.want(eyesIntent(issue.id, { channel, ts }, now));
  return true;
}

/** Slack refuses the message of a received alert for good: its issue is never sent, and the next firing gets another. */
export async function giveUpAlert(tx: Aggregates, received: string, error: string): Promise<void> {
  const row = await tx.receivedAlerts.get(received);
  if (row?.channel == null || row.ts === null || !awaitsMessage(row.ts)) return;
  await tx.receivedAlerts.become(received, 'noted');
  const decided = await tx.alerts.place({ channel: row.channel, ts: row.ts }, tsWithoutMessage(row.ts));
  const issue = await notPlaced(tx, decided?.issueId ?? null);
  const failure = `Slack refused the message of this alert (${error}), so it was not filed. It will be tried again the next time the alert fires.`;
  if (issue !== null) await tx.issues.apply(issue.id, transitions.failDamaged(failure));
}

/** An issue that waits for the message whose thread it lives in. */
async function notPlaced(tx: Aggregates, id: string | null): Promise<Issue | null> {
  const issue = id === null ? null : await tx.issues.get(id);
  return issue !== null && issue.threadTs === null && issue.requestedBy === null ? issue : null;
}

async function placeIssue(
  tx: Aggregates,
  issue: Issue,
  { channel, ts }: { channel: string; ts: string },
  permalink: string | null,
  now: number,
): Promise<void> {
  const request = decodeStored(IssueCreate, issue.request);
  const placed =
    request === null
      ? issue.request
      : JSON.stringify(placedRequest(request, issue.id, { channel, ts, permalink }));
  await tx.issues.apply(issue.id, transitions.place(channel, ts, placed));
  await wantCard(tx, { ...issue, channel, threadTs: ts }, now);
  // What was counted meanwhile led nowhere.
  await signAgain(tx, await tx.alerts.ofIssue(issue.id, MANY));
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
  // The message is ours, and says itself what became of it.
  await sign(
    tx,
    seen,
    { decision, reason: readReason(row.reason), issueId },
    { hasCard: hasCard || issue !== null, now },
  );
}

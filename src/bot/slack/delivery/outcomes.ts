import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../lib/clock.ts';
import { stopAnswer } from '../../asking/stop.ts';
import { giveUpAlert, placeAlert } from '../../filing/place.ts';
import { unreadableIntent } from '../../store/intents/channel-intents.ts';
import { payloadOf, personOf } from '../../store/intents/payloads.ts';
import { transitions } from '../../store/issue-transitions.ts';
import type { Aggregates, Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import { openDm } from '../open-dm.ts';
import type { Placed } from './content.ts';

/** Slack's error codes for a channel that the bot cannot post in, although the person may be there. */
const NOT_THERE = new Set(['not_in_channel', 'channel_not_found']);
/** Somebody deleted the thread, or the answer itself: it is not wanted elsewhere. */
const DELETED: ReadonlySet<string> = new Set(['thread_gone', 'thread_not_found', 'message_not_found']);

/**
 * Sends what Slack rejects in a channel to the direct messages of whoever asked for it: a card or
 * an answer if the bot is not a member, an answer for any reason.
 *
 * @returns true if the intent was redirected.
 */
export async function sendToPerson(
  row: OutboxRow,
  error: string,
  { store, client }: { store: Store; client: WebClient },
): Promise<boolean> {
  const payload = personOf(row);
  if (!goesElsewhere(row, error) || payload.requester === undefined || payload.insteadOf !== undefined)
    return false;
  const dm = await openDm(client, payload.requester);
  if (dm === null || dm === row.channel) return false;
  const because = NOT_THERE.has(error) ? {} : { because: error };
  const redirected = { ...payload, insteadOf: row.channel, ...because };
  const kind = row.kind === 'answer' ? 'answer' : 'card';
  await store.outbox.redirect({ key: row.key, kind, payload: redirected }, dm);
  return true;
}

function goesElsewhere(row: OutboxRow, error: string): boolean {
  if (row.kind === 'answer') return !DELETED.has(error);
  // A card that is already posted was answer enough.
  return NOT_THERE.has(error) && row.sent === '[]';
}

/** An alert's message, a command's card or an answer starts its thread: the issue, or the conversation, lives there from now on. */
export async function keepPlace(
  tx: Aggregates,
  { row, channel, ts }: Placed,
  options: Parameters<typeof placeAlert>[3],
): Promise<void> {
  if (row.threadTs !== null) return;
  if (row.kind === 'alert') await placeAlert(tx, payloadOf('alert', row).received, { channel, ts }, options);
  if (row.kind === 'card' && row.issueId !== null) {
    await tx.issues.apply(row.issueId, transitions.place(channel, ts));
  }
  if (row.kind === 'answer' && row.questionId !== null) {
    const question = await tx.questions.get(row.questionId);
    if (question) await tx.conversations.place(question.conversation, channel, ts);
  }
}

/** Gumshoe itself, not a person. */
const NOBODY = 'gumshoe';
const WHAT = 'somebody deleted its message in Slack, so updates no longer appear there';

/**
 * Slack refuses it for good, or somebody deleted the message or its thread: it is not posted again. That an issue is no
 * longer shown anywhere is recorded in its history once, and its Home entry says so too.
 */
export async function giveUpGone(
  row: OutboxRow,
  error: string,
  { store, clock }: { store: Store; clock: Clock },
): Promise<void> {
  await store.transaction(async (tx) => {
    const { issueId } = row;
    const before = issueId === null || (await tx.outbox.isGone(issueId));
    await tx.outbox.dead(row.key, error);
    if (row.kind === 'alert') await giveUpAlert(tx, payloadOf('alert', row).received, error);
    if (issueId === null || before || !(await tx.outbox.isGone(issueId))) return;
    await tx.audit.add({ at: clock.now(), who: NOBODY, what: WHAT, issueId });
  });
}

/**
 * A message's stored data cannot be read, however often it is retried: it is given up, and its thread (or its channel)
 * gets one message, however many there are.
 */
export async function endUnreadable(tx: Aggregates, row: OutboxRow, now: number): Promise<void> {
  await tx.outbox.dead(row.key, 'unreadable');
  // A missing emoji does no harm.
  if (row.kind === 'reaction') return;
  const issue = row.issueId === null ? null : await tx.issues.get(row.issueId);
  const threadTs = row.threadTs ?? (issue?.channel === row.channel ? issue.threadTs : null);
  const intent = unreadableIntent({ channel: row.channel, threadTs }, now, row.createdAt);
  if ((await tx.outbox.get(intent.key)) !== null) return;
  await tx.outbox.want(intent);
}

/** Somebody ended an answer's stream with Slack's own button; in a direct message, that is the asker. */
export async function stoppedInSlack(
  questionId: string,
  { store, clock }: { store: Store; clock: Clock },
): Promise<void> {
  const question = await store.questions.get(questionId);
  if (!question) return;
  await stopAnswer(question.id, question.asker, { store, clock });
}

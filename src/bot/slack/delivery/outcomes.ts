import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../lib/clock.ts';
import { stopAnswer } from '../../asking/stop.ts';
import { unreadableIntent } from '../../store/intents/channel-intents.ts';
import { personOf } from '../../store/intents/payloads.ts';
import { transitions } from '../../store/issue-transitions.ts';
import type { Aggregates, Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import { openDm } from '../open-dm.ts';
import type { Placed } from './content.ts';

/** Slack's names for a channel that the bot cannot post in, although the person may be there. */
const NOT_THERE = new Set(['not_in_channel', 'channel_not_found']);
/** Somebody deleted the thread, or the answer itself: nobody wants it elsewhere. */
export const DELETED: ReadonlySet<string> = new Set(['thread_gone', 'thread_not_found', 'message_not_found']);

/**
 * What Slack refuses in a channel goes to the DM of the person who asked for it (DESIGN section 3): a card or answer
 * where the bot is no member, an answer for whatever reason.
 *
 * @returns true when the intent has been sent on its way to the DM.
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
  // A card that stands was answer enough.
  return NOT_THERE.has(error) && row.sent === '[]';
}

/** A command's card or answer starts its thread: from now on the issue, or the conversation, lives there. */
export async function keepPlace(tx: Aggregates, { row, channel, ts }: Placed): Promise<void> {
  if (row.threadTs !== null) return;
  if (row.kind === 'card' && row.issueId !== null) {
    await tx.issues.apply(row.issueId, transitions.place(channel, ts));
  }
  if (row.kind === 'answer' && row.questionId !== null) {
    const question = await tx.questions.get(row.questionId);
    if (question) await tx.conversations.place(question.conversation, channel, ts);
  }
}

/** Not a person: it happened by itself. */
const NOBODY = 'gumshoe';
const WHAT = 'somebody deleted its message in Slack, so updates no longer appear there';

/**
 * Somebody deleted the message, or the thread it was to stand in: it is not said again. That an issue is shown nowhere
 * any more is written into its history once, and its Home entry says so too.
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
    if (issueId === null || before || !(await tx.outbox.isGone(issueId))) return;
    await tx.audit.add({ at: clock.now(), who: NOBODY, what: WHAT, issueId });
  });
}

/**
 * What is kept of a message cannot be read, however often it is tried: it is given up, and its thread (or its channel)
 * is told once, however many there are.
 */
export async function endUnreadable(tx: Aggregates, row: OutboxRow, now: number): Promise<void> {
  await tx.outbox.dead(row.key, 'unreadable');
  // Who misses an emoji misses nothing.
  if (row.kind === 'reaction') return;
  const issue = row.issueId === null ? null : await tx.issues.get(row.issueId);
  const threadTs = row.threadTs ?? (issue?.channel === row.channel ? issue.threadTs : null);
  const intent = unreadableIntent({ channel: row.channel, threadTs }, now, row.createdAt);
  if ((await tx.outbox.get(intent.key)) !== null) return;
  await tx.outbox.want(intent);
}

/** Slack's own button ended an answer's stream: it was the asker, who is alone with us in a direct message. */
export async function stoppedInSlack(
  questionId: string,
  { store, clock }: { store: Store; clock: Clock },
): Promise<void> {
  const question = await store.questions.get(questionId);
  if (!question) return;
  await stopAnswer(question.id, question.asker, { store, clock });
}

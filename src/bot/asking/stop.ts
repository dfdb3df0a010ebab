import type { Clock } from '../../lib/clock.ts';
import { compareTs, isBefore, type Moment } from '../shared/moment.ts';
import { notListeningIntent } from '../store/intents/thread-intents.ts';
import type { Aggregates, Store } from '../store/open.ts';
import type { Question } from '../store/questions.ts';
import { refreshAnswer, refreshQueued } from './question.ts';

interface StopOptions {
  store: Store;
  clock: Clock;
}

/**
 * *Stop*: the answer ends with what has arrived of it, or never begins. The answerer is woken.
 *
 * @param ts when it was wanted, by Slack's clock: what was asked, or asked again, after that continues
 * @returns false if there is nothing to stop (any more)
 */
export function stopAnswer(
  questionId: string,
  who: string,
  options: StopOptions,
  ts: string | null = null,
): Promise<boolean> {
  return options.store.transaction((tx) => stopIn(tx, questionId, { who, ts }, options.clock.now()));
}

async function stopIn(
  tx: Aggregates,
  questionId: string,
  { who, ts }: { who: string; ts: string | null },
  now: number,
): Promise<boolean> {
  const before = await tx.questions.get(questionId);
  if (before === null || (ts !== null && !isOlder(before, ts))) return false;
  if (!(await tx.questions.stop(questionId, who, now))) return false;
  await refreshAnswer(tx, questionId);
  if (before.state === 'queued') await refreshQueued(tx, before.conversation);
  return true;
}

/** Whether a question was asked before a moment of Slack's clock. */
function isOlder({ askedTs, writtenAt }: Question, ts: string): boolean {
  return askedTs === null ? writtenAt <= Number(ts) * 1_000 : compareTs(askedTs, ts) < 0;
}

/** A bare "stop" that somebody wrote. */
export interface StopWord {
  channel: string;
  /** `null`: in any thread of a direct message. */
  threadTs: string | null;
  ts: string;
  who: string;
}

/** What a "stop" acts on: the question that is being answered in its thread, or waits there first; asked before it. */
export async function stoppedBy(
  word: Omit<StopWord, 'who'>,
  store: Pick<Aggregates, 'questions' | 'conversations'>,
): Promise<Question[]> {
  const { channel, threadTs, ts } = word;
  if (threadTs === null) {
    return (await store.questions.askingIn(channel)).filter((question) => isOlder(question, ts));
  }
  const conversation = await store.conversations.byThread(channel, threadTs);
  const underWay = conversation === null ? [] : await store.questions.underWay(conversation.id);
  return underWay.filter((question) => isOlder(question, ts)).slice(0, 1);
}

/**
 * Ends what a bare "stop" acts on. One that finds nothing is kept: the question before it may only come now.
 *
 * @returns whether it ended something
 */
export function stopByWord(word: StopWord, { store, clock }: StopOptions): Promise<boolean> {
  return store.transaction(async (tx) => {
    const now = clock.now();
    const subject = stopSubject(word);
    let isDone = (await tx.acts.newest(subject))?.ts === word.ts;
    // A second delivery of it.
    if (isDone) return false;
    for (const { id } of await stoppedBy(word, tx)) isDone = (await stopIn(tx, id, word, now)) || isDone;
    const { ts, who } = word;
    await tx.acts.take({ subject, ts, receivedAt: now, who, what: isDone ? 'done' : 'waits' }, now);
    return isDone;
  });
}

/** Cancels a question that just arrived, if a "stop" written after it arrived first. */
export async function stopWhereStopped(
  tx: Aggregates,
  asked: { id: string; channel: string; threadTs: string | null; ts?: string | null },
  now: number,
): Promise<void> {
  if (asked.ts == null) return;
  for (const threadTs of [asked.threadTs, null]) {
    const subject = stopSubject({ channel: asked.channel, threadTs });
    const word = await tx.acts.newest(subject);
    if (word?.ts == null || word.what !== 'waits') continue;
    if (await stopIn(tx, asked.id, { who: word.who, ts: word.ts }, now)) {
      await tx.acts.take({ ...word, what: 'done' }, now);
      return;
    }
  }
}

function stopSubject({ channel, threadTs }: Pick<StopWord, 'channel' | 'threadTs'>): string {
  return `stop:${channel}:${threadTs ?? ''}`;
}

/** `overtaken`: somebody has called it into the thread since the press. */
export type StoppedListening = 'stopped' | 'not_listening' | 'overtaken';

/**
 * *Stop listening*: replies in the thread are people's own until somebody mentions the bot or presses *Ask*; a line says
 * who wanted that. What was asked before is answered.
 *
 * @param cause what the press is known by, so that a second delivery posts nothing
 * @param moment when it was pressed: who called it since then has it go on
 */
export function stopListening(
  conversationId: string,
  { who, cause, moment }: { who: string; cause: string; moment: Moment },
  options: StopOptions,
): Promise<StoppedListening> {
  return options.store.transaction(async (tx) => {
    const now = options.clock.now();
    const conversation = await tx.conversations.get(conversationId);
    if (conversation?.listening !== true) return 'not_listening';
    const off = { subject: listeningSubject(conversation.id), ...moment, who, what: 'off' };
    if ((await tx.acts.take(off, now)) !== null) return 'overtaken';
    await tx.conversations.listen(conversation.id, false, now);
    const { issueId } = conversation;
    // Of a thread without an issue the line itself is the record.
    if (issueId !== null) {
      await tx.audit.add({ at: now, who, what: 'asked me to stop listening in its thread', issueId });
    }
    await tx.outbox.want(notListeningIntent(cause, conversation, who, now));
    return 'stopped';
  });
}

/** Whether it listens is decided by the newest of what called it (`on`) and had it stop (`off`). */
function listeningSubject(conversationId: string): string {
  return `listening:${conversationId}`;
}

/**
 * Whether somebody had it stop listening in a thread after something was written there, though that is heard of only
 * now. What calls it into the thread is kept, so that an older *Stop listening* does not undo it.
 */
export async function wasCalledOff(
  tx: Pick<Aggregates, 'acts'>,
  conversationId: string,
  { ts = null, calls = false, asker }: { ts?: string | null; calls?: boolean; asker: string },
  now: number,
): Promise<boolean> {
  if (ts === null) return false;
  const subject = listeningSubject(conversationId);
  const written: Moment = { ts, receivedAt: now };
  if (calls) {
    const since = await tx.acts.take({ subject, ...written, who: asker, what: 'on' }, now);
    return since?.what === 'off';
  }
  const newest = await tx.acts.newest(subject);
  return newest?.what === 'off' && isBefore(written, newest);
}

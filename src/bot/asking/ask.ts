import type { Clock } from '../../lib/clock.ts';
import { begins } from '../shared/tracing/spans.ts';
import type { Conversation } from '../store/conversations.ts';
import { lateKey, type OutboxKey } from '../store/intents/keys.ts';
import { lateAnswersWanted, lateIntent } from '../store/intents/thread-intents.ts';
import type { Aggregates, Store } from '../store/open.ts';
import type { Question } from '../store/questions.ts';
import { type AskedFile, type LookingAt, refreshAnswer, wantAnswer } from './question.ts';
import { stopWhereStopped, wasCalledOff } from './stop.ts';

/** Questions older than this have usually been answered some other way. */
const LATE_MS = 60 * 60_000;

/** Two questions may arrive in the wrong order, so the author of the first has to be looked up. */
const RECENT_MS = 10_000;

/** A question as somebody asked it in Slack. */
export interface Asked {
  /** `<channel>:<ts>` of the message; a command's own id. The same question twice is one. */
  id: string;
  channel: string;
  /** `null`: the answer starts the thread. */
  threadTs: string | null;
  asker: string;
  text: string;
  /** Stands above the answer if nobody has written the question down in the thread. */
  shown?: string;
  /** When the person wrote it, in milliseconds; now, if not said. */
  writtenAt?: number;
  /** Slack's `ts` of the message, or of the press, that asks it. */
  ts?: string | null;
  /** Somebody called the agent into the thread (a mention, *Ask*): from then on it listens there. */
  calls?: boolean;
  files?: AskedFile[];
  /** What the asker has open in Slack beside their direct message. */
  lookingAt?: LookingAt | null;
}

export interface AskOptions extends RateLimits {
  store: Store;
  clock: Clock;
}

/**
 * Queues a question in its thread's conversation, which it starts if there is none, and asks for the
 * message that will hold the answer. One that comes more than an hour late is not asked:
 * a line in its thread offers to answer it, together with others that are late there.
 */
export function ask(asked: Asked, options: AskOptions): Promise<void> {
  return options.store.transaction(async (tx) => {
    const now = options.clock.now();
    const writtenAt = asked.writtenAt ?? now;
    if (now - writtenAt > LATE_MS) return offer(tx, asked, writtenAt, now);
    const conversation = await startConversation(tx, asked, now);
    const refused = await overRateLimit(tx, { ...asked, issueId: conversation.issueId }, options, now);
    const added = await tx.questions.add({
      ...questionOf(asked, conversation, writtenAt, now),
      ...(refused === null ? {} : { refused }),
    });
    if (!added) return;
    begins(`question:${asked.id}`);
    await wantAnswer(tx, { ...asked, questionId: asked.id }, now);
    if (refused === null) await stopWhereStopped(tx, asked, now);
  });
}

/**
 * The thread's conversation, in which replies are questions from now on; in an issue's thread it is about that issue.
 * Where somebody had it stop listening after this was asked, it does not listen again.
 */
export async function startConversation(tx: Aggregates, start: Start, now: number): Promise<Conversation> {
  const conversation = await conversationOf(tx, start, now);
  const isOver = await wasCalledOff(tx, conversation.id, start, now);
  if (!isOver) await tx.conversations.listen(conversation.id, true, now);
  return { ...conversation, listening: !isOver, updatedAt: now };
}

type Start = Pick<Asked, 'id' | 'channel' | 'threadTs' | 'asker' | 'ts' | 'calls'>;

async function conversationOf(tx: Aggregates, start: Start, now: number): Promise<Conversation> {
  const issue = start.threadTs === null ? null : await tx.issues.byThread(start.channel, start.threadTs);
  return tx.conversations.start({
    id: start.id,
    channel: start.channel,
    threadTs: start.threadTs,
    issueId: issue?.id ?? null,
    startedBy: start.asker,
    createdAt: now,
  });
}

async function offer(tx: Aggregates, asked: Asked, writtenAt: number, now: number): Promise<void> {
  const conversation = await conversationOf(tx, asked, now);
  const key = (await tx.questions.openOffer(conversation.id)) ?? lateKey(asked.id);
  const question = questionOf(asked, conversation, writtenAt, now);
  if (!(await tx.questions.add({ ...question, offer: key }))) return;
  await tx.outbox.want(lateIntent(key, asked, conversation.id, now));
}

function questionOf(asked: Asked, conversation: Conversation, writtenAt: number, now: number) {
  return {
    id: asked.id,
    conversation: conversation.id,
    asker: asked.asker,
    text: asked.text,
    createdAt: turnOf(writtenAt, now),
    writtenAt,
    askedTs: asked.ts ?? null,
    files: JSON.stringify(asked.files ?? []),
    lookingAt: asked.lookingAt ? JSON.stringify(asked.lookingAt) : null,
  };
}

/** Questions that arrive promptly are asked in the order in which they were written, late ones in that of their arrival. */
function turnOf(writtenAt: number, now: number): number {
  return writtenAt <= now && now - writtenAt <= RECENT_MS ? writtenAt : now;
}

/** `refused`: the reason is posted under the question. `not_now`: it is being answered, or was, or is gone. */
export type AskedAgain = 'asked' | 'refused' | 'not_now';

/**
 * *Try again* on an answer that failed, was stopped, or was refused by a ceiling. The
 * ceilings are those of the person who presses; the same press twice asks once.
 *
 * @param ts when it was pressed, by Slack's clock: a stop from before that is not for it
 */
export function askAgain(
  questionId: string,
  who: string,
  options: AskOptions,
  ts: string | null = null,
): Promise<AskedAgain> {
  return options.store.transaction(async (tx) => {
    const question = await tx.questions.get(questionId);
    return question ? requeue(tx, question, { who, ts }, options, options.clock.now()) : 'not_now';
  });
}

/** Asks the questions that a notice offers to answer, oldest first. `asked` if at least one is. */
export function answerLate(
  offerKey: OutboxKey,
  who: string,
  options: AskOptions,
  ts: string | null = null,
): Promise<AskedAgain> {
  return options.store.transaction(async (tx) => {
    const now = options.clock.now();
    const outcomes: AskedAgain[] = [];
    const questions = await tx.questions.offeredBy(offerKey);
    for (const [place, question] of questions.entries()) {
      // One moment each, so that they keep their order.
      outcomes.push(await requeue(tx, question, { who, ts }, options, now + place));
    }
    const outcome =
      outcomes.find((it) => it === 'asked') ?? outcomes.find((it) => it === 'refused') ?? 'not_now';
    if (outcome !== 'not_now') {
      const conversation = questions[0]?.conversation;
      await tx.outbox.replacePayload(lateAnswersWanted(offerKey, conversation, who));
    }
    return outcome;
  });
}

/** Queues a question again, or refuses it with the rate limits of the person who wants it. */
async function requeue(
  tx: Aggregates,
  question: Question,
  { who, ts }: { who: string; ts: string | null },
  options: AskOptions,
  now: number,
): Promise<AskedAgain> {
  const conversation = await tx.conversations.get(question.conversation);
  if (!conversation) return 'not_now';
  const { channel, threadTs, issueId } = conversation;
  const refused = await overRateLimit(tx, { asker: who, channel, issueId }, options, now);
  const changed =
    refused === null
      ? await tx.questions.askAgain(question.id, now, ts)
      : await tx.questions.refuse(question.id, refused, now);
  if (!changed) return 'not_now';
  if (question.state === 'late') {
    await wantAnswer(tx, { questionId: question.id, channel, threadTs, asker: question.asker }, now);
  } else {
    await refreshAnswer(tx, question.id);
  }
  return refused === null ? 'asked' : 'refused';
}

const HOUR_MS = 60 * 60_000;
const MINUTE_MS = 60_000;

/** How many questions are asked within an hour, at most. */
interface RateLimits {
  askPerUserHour: number;
  askPerChannelHour: number;
}

/** Why a question is not asked: a sentence with when to try again; `null` if it may be. */
async function overRateLimit(
  tx: Pick<Aggregates, 'questions'>,
  { asker, channel, issueId }: { asker: string; channel: string; issueId: string | null },
  { askPerUserHour, askPerChannelHour }: RateLimits,
  now: number,
): Promise<string | null> {
  const since = now - HOUR_MS;
  // With it as many as may be: there is room again once it is an hour old. Who holds the pager asks about an issue as often
  // as it takes: there the channel's limit is what protects the service.
  const own = issueId === null ? await tx.questions.nthBy(asker, since, askPerUserHour) : null;
  if (own !== null) {
    return `You have asked ${counted(askPerUserHour)} in the last hour, the limit per person (ASK_PER_USER_HOUR). Try again ${wait(own - since)}.`;
  }
  const here = await tx.questions.nthIn(channel, since, askPerChannelHour);
  if (here !== null) {
    const were = askPerChannelHour === 1 ? 'was' : 'were';
    return `${counted(askPerChannelHour)} ${were} asked here in the last hour, the limit per channel (ASK_PER_CHANNEL_HOUR). Try again ${wait(here - since)}.`;
  }
  return null;
}

function counted(questions: number): string {
  return questions === 1 ? '1 question' : `${questions} questions`;
}

function wait(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}

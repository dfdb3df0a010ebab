import type { OutboxKey } from '../store/intents/keys.ts';
import { lateAnswersWanted } from '../store/intents/thread-intents.ts';
import type { Aggregates } from '../store/open.ts';
import type { Question } from '../store/questions.ts';
import { refreshAnswer, wantAnswer } from './answer-intent.ts';
import type { AskOptions } from './ask.ts';
import { overRateLimit } from './rate-limits.ts';

/** `refused`: the reason stands under the question. `not_now`: it is being answered, or was, or is gone. */
export type AskedAgain = 'asked' | 'refused' | 'not_now';

/**
 * *Try again* on an answer that failed, was stopped, or was refused by a ceiling (DESIGN section 4, *Asking*). The
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
  const { channel, threadTs } = conversation;
  const refused = await overRateLimit(tx, { asker: who, channel }, options, now);
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

import { answerKey } from '../store/intents/keys.ts';
import { type AnswerToPost, answerIntent } from '../store/intents/thread-intents.ts';
import type { Aggregates } from '../store/open.ts';

type Messages = Pick<Aggregates, 'outbox' | 'questions'>;

/** Asks for the message that bears an answer: one a question, whatever happens. */
export function wantAnswer(tx: Messages, answer: AnswerToPost, now: number): Promise<void> {
  return tx.outbox.want(answerIntent(answer, now));
}

/** Asks for an edit of an answer's message. */
export function refreshAnswer(tx: Messages, questionId: string): Promise<void> {
  return tx.outbox.again(answerKey(questionId));
}

/** A question waits for its answer no more: those behind it show how many are ahead of them now. */
export async function refreshWaiting(tx: Messages, conversation: string): Promise<void> {
  for (const id of await tx.questions.waiting(conversation)) await refreshAnswer(tx, id);
}

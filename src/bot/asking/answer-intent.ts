import { answerKey } from '../store/intents/keys.ts';
import { type AnswerToPost, answerIntent } from '../store/intents/thread-intents.ts';
import type { Aggregates } from '../store/open.ts';

type Messages = Pick<Aggregates, 'outbox' | 'questions'>;

/** Requests the message with the answer, once per question. */
export function wantAnswer(tx: Messages, answer: AnswerToPost, now: number): Promise<void> {
  return tx.outbox.want(answerIntent(answer, now));
}

/** Asks for an edit of an answer's message. */
export function refreshAnswer(tx: Messages, questionId: string): Promise<void> {
  return tx.outbox.again(answerKey(questionId));
}

/** A question has left the queue: those behind it now show how many are ahead of them. */
export async function refreshWaiting(tx: Messages, conversation: string): Promise<void> {
  for (const id of await tx.questions.waiting(conversation)) await refreshAnswer(tx, id);
}

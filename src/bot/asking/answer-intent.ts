import type { Aggregates } from '../store/open.ts';

type Messages = Pick<Aggregates, 'outbox' | 'questions'>;

/** Where an answer goes, and for whom. */
interface Wanted {
  questionId: string;
  channel: string;
  threadTs: string | null;
  asker: string;
  shown?: string;
}

/** Asks for the message that bears an answer: one a question, whatever happens. */
export function wantAnswer(tx: Messages, wanted: Wanted, now: number): Promise<void> {
  return tx.outbox.want({
    key: answerKey(wanted.questionId),
    kind: 'answer',
    channel: wanted.channel,
    threadTs: wanted.threadTs,
    questionId: wanted.questionId,
    payload: JSON.stringify({ requester: wanted.asker, shown: wanted.shown }),
    at: now,
  });
}

/** Asks for an edit of an answer's message. */
export function refreshAnswer(tx: Messages, questionId: string): Promise<void> {
  return tx.outbox.again(answerKey(questionId));
}

/** A question waits for its answer no more: those behind it show how many are ahead of them now. */
export async function refreshWaiting(tx: Messages, conversation: string): Promise<void> {
  for (const id of await tx.questions.waiting(conversation)) await refreshAnswer(tx, id);
}

function answerKey(questionId: string): string {
  return `answer:${questionId}`;
}

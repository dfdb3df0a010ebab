import { CancelledError, ServiceError } from '../../contract/client/errors.ts';
import type { QueryEvent } from '../../contract/client/query.ts';
import type { Aggregates } from '../store/open.ts';
import type { Question } from '../store/questions.ts';
import { refreshAnswer, refreshWaiting } from './answer-intent.ts';
import { whyBrokenOff, whyNotAnswered } from './explain-error.ts';

/** What has become of a question. */
export interface AnswerOutcome {
  state: 'complete' | 'failed' | 'stopped';
  /** All that arrived. */
  answer: string;
  artifacts: readonly unknown[];
  /** A sentence for a person. */
  note: string | null;
  /** What was left out of it, since its readers may not see the issue that it is about. */
  withheld?: Question['withheld'];
  /** The service's own id of the conversation, from its answer. */
  conversationId: string | null;
  /** Why it failed, for the log. */
  error?: unknown;
}

const NO_WORDS = 'The agent sent an empty answer. Try again or rephrase the question.';

/** What the end of a stream comes to. */
export function outcomeOf({
  response,
  text,
  complete,
  error,
}: Extract<QueryEvent, { kind: 'done' }>): AnswerOutcome {
  const answer = response?.answer ?? text;
  const artifacts = response?.artifacts ?? [];
  const conversationId = response?.conversation_id ?? null;
  const whole = { answer, artifacts, conversationId };
  if (!complete) return { ...whole, state: 'failed', note: whyBrokenOff(error), error };
  if (answer.trim() === '' && artifacts.length === 0) return { ...whole, state: 'failed', note: NO_WORDS };
  return { ...whole, state: 'complete', note: null };
}

/** What a failure comes to, with what had arrived before it. */
export function failed(error: unknown, arrived: string): AnswerOutcome {
  const brokeOff = arrived !== '' && error instanceof ServiceError && !(error instanceof CancelledError);
  const note = brokeOff ? whyBrokenOff(error) : whyNotAnswered(error);
  return { state: 'failed', answer: arrived, artifacts: [], note, conversationId: null, error };
}

/** What is said below a whole answer; one that failed has its own sentence there. */
export function noting(note: string | null, outcome: AnswerOutcome): AnswerOutcome {
  if (note === null || outcome.state !== 'complete') return outcome;
  return { ...outcome, note: outcome.note === null ? note : `${note} ${outcome.note}` };
}

/** Somebody wanted no more of it. */
export function stopped(arrived: string): AnswerOutcome {
  return { state: 'stopped', answer: arrived, artifacts: [], note: null, conversationId: null };
}

/** Stores the outcome of a question, and updates its message and those of the questions behind it. */
export async function keepOutcome(
  tx: Aggregates,
  question: Question,
  { state, answer, artifacts, note, withheld = null, conversationId }: AnswerOutcome,
  now: number,
): Promise<void> {
  await tx.questions.update(
    question.id,
    {
      state,
      answer,
      artifacts: JSON.stringify(artifacts),
      note,
      withheld,
      // It ended by itself before anybody could stop it.
      ...(state === 'stopped' ? {} : { stoppedBy: null }),
    },
    now,
  );
  if (conversationId) await tx.conversations.continueAs(question.conversation, conversationId, now);
  await refreshAnswer(tx, question.id);
  await refreshWaiting(tx, question.conversation);
}

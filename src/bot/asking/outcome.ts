import {
  CancelledError,
  CircuitOpenError,
  RejectedError,
  ServiceError,
  StreamFailedError,
  TimedOutError,
  UnreachableError,
} from '../../contract/client/errors.ts';
import { explainServiceError } from '../../contract/client/explain-error.ts';
import type { QueryEvent } from '../../contract/client/query.ts';
import { questionOwner } from '../store/artifacts.ts';
import type { Aggregates } from '../store/open.ts';
import type { Question } from '../store/questions.ts';
import { artifactsOf, chartedIn, refreshAnswer, refreshQueued } from './question.ts';

/** What has become of a question. */
export interface AnswerOutcome {
  state: 'complete' | 'failed' | 'stopped';
  /** All that arrived. */
  answer: string;
  artifacts: readonly unknown[];
  /** A sentence for a person. */
  note: string | null;
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
  { state, answer, artifacts, note, conversationId }: AnswerOutcome,
  now: number,
): Promise<void> {
  await tx.questions.update(
    question.id,
    {
      state,
      answer,
      artifacts: JSON.stringify(artifacts),
      note,
      // It ended by itself before anybody could stop it.
      ...(state === 'stopped' ? {} : { stoppedBy: null }),
    },
    now,
  );
  if (state === 'complete') {
    const series = chartedIn(artifactsOf({ artifacts: JSON.stringify(artifacts) }));
    await tx.artifacts.want(questionOwner(question.id), series);
  }
  if (conversationId) await tx.conversations.continueAs(question.conversation, conversationId, now);
  await refreshAnswer(tx, question.id);
  await refreshQueued(tx, question.conversation);
}

/** Why a question got no answer, and what to do. Quotes the service: untrusted, to be escaped where it is shown. */
export function whyNotAnswered(error: unknown): string {
  if (error instanceof RejectedError && (error.status === 404 || error.status === 410)) {
    return `The investigation service does not take questions at the configured address (HTTP ${error.status}). Ask whoever operates Gumshoe to check ISSUE_SERVICE_URL.${requestOf(error)}`;
  }
  const why = explainServiceError(error);
  const hasAdvice = !(
    (error instanceof UnreachableError && error.ambiguous) ||
    error instanceof CircuitOpenError
  );
  return hasAdvice ? why : `${why} Try again in a few minutes.`;
}

/**
 * Why an answer ends before its end, and what to do.
 *
 * @param error `undefined` if the stream just ended
 */
export function whyBrokenOff(error: ServiceError | undefined): string {
  return `The answer was cut off${cause(error)}. Try again to get all of it.${error ? requestOf(error) : ''}`;
}

function cause(error: ServiceError | undefined): string {
  if (error instanceof TimedOutError) return ': it took too long';
  if (error instanceof UnreachableError) return ': the connection to the investigation service dropped';
  if (!(error instanceof StreamFailedError)) return '';
  const reason = (error.reason ?? '').trim().replace(/[.!\s]+$/u, '');
  return reason === '' ? ': the investigation service failed' : `: ${reason}`;
}

function requestOf(error: ServiceError): string {
  return error.requestId === null ? '' : ` (request ${error.requestId})`;
}

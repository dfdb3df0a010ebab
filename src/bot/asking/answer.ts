import { ServiceError } from '../../contract/client/errors.ts';
import { raceAbort } from '../../lib/clock.ts';
import type { Conversation } from '../store/conversations.ts';
import type { Question } from '../store/questions.ts';
import type { AnswererOptions } from './options.ts';
import { type Asking, NotAskedError, organizationOf } from './organization.ts';
import {
  type AnswerOutcome,
  failed,
  keepOutcome,
  noting,
  outcomeOf,
  stopped,
  whyBrokenOff,
} from './outcome.ts';
import { artifactsOf, refreshAnswer } from './question.ts';
import { requestFor } from './request.ts';
import { retry } from './retry.ts';
import { createStreamingAnswer, type StreamingAnswer } from './streaming-answer.ts';

/** In channels each update is an edit, of which Slack takes about one a second; in DMs the answer is streamed. */
const SHOW_EVERY_MS = { channel: 1_000, dm: 200 };
const STARTED_ANEW = 'The service had lost this conversation, so I started a new one.';
const NOT_KEPT =
  'I could not store the answer. Try again; if it keeps happening, tell whoever operates me to check the disk.';

/** One question that is being asked. */
interface Attempt {
  /** The program ends: the question stays as it is, and is asked again at the next start. */
  shutdown: AbortSignal;
  /** Somebody wants the answer to end. */
  stopped: AbortSignal;
  /** Something has arrived. */
  onActivity(): void;
}

/**
 * Asks one question, lets its answer grow in Slack, and keeps what becomes of it with the conversation's id. Rejects
 * where that could not be kept: the question is then neither answered nor asked by anybody.
 */
export async function answer(queued: Question, attempt: Attempt, options: AnswererOptions): Promise<void> {
  const { store, clock, metrics, log } = options;
  const conversation = await store.conversations.get(queued.conversation);
  const question = await begin(queued, options);
  if (!conversation || !question) return;
  const ended = await askAndGrow(question, conversation, attempt, options);
  if (ended === null) return;
  const outcome = withFormerWords(ended, question);
  metrics.count('gumshoe_questions_total', { outcome: METRIC[outcome.state] });
  if (outcome.state === 'failed') {
    log.warn({ err: outcome.error, question: question.id }, 'could not answer a question');
  }
  const keep = (it: AnswerOutcome) => store.transaction((tx) => keepOutcome(tx, question, it, clock.now()));
  try {
    await retry(() => keep(outcome), {
      clock,
      signal: attempt.shutdown,
      onError: (error) =>
        log.warn({ err: error, question: question.id }, 'could not store an answer yet; retrying'),
    });
  } catch (error) {
    attempt.shutdown.throwIfAborted();
    log.error({ err: error, question: question.id }, 'could not store an answer; check the disk');
    await keep({ ...outcome, state: 'failed', answer: '', artifacts: [], note: NOT_KEPT });
  }
  await options.checkpoint('answer: kept');
}

const METRIC = { complete: 'answered', failed: 'failed', stopped: 'stopped' } as const;

async function begin(queued: Question, { store, clock }: AnswererOptions): Promise<Question | null> {
  const question = await store.transaction(async (tx) => {
    await refreshAnswer(tx, queued.id);
    return tx.questions.begin(queued.id, clock.now());
  });
  return question;
}

/** A retry that brings nothing does not remove what an earlier attempt brought. */
function withFormerWords(outcome: AnswerOutcome, question: Question): AnswerOutcome {
  if (outcome.state === 'complete' || outcome.answer !== '') return outcome;
  return { ...outcome, answer: question.answer, artifacts: artifactsOf(question) };
}

/** Returns the outcome; `null` if the program stops before it is known. */
async function askAndGrow(
  question: Question,
  conversation: Conversation,
  attempt: Attempt,
  options: AnswererOptions,
): Promise<AnswerOutcome | null> {
  let decided: Awaited<ReturnType<typeof organizationOf>>;
  try {
    decided = await organizationOf(conversation, options);
  } catch (error) {
    if (error instanceof NotAskedError) return { ...failed(error, ''), note: error.message };
    return attempt.shutdown.aborted ? null : failed(error, '');
  }
  const asking = { ...conversation, organization: decided.organization };
  const growth = growthOf(question, conversation, options);
  const ended = await untilEnded(question, asking, growth, attempt, options);
  return ended === null ? null : noting(decided.note, ended);
}

async function untilEnded(
  question: Question,
  conversation: Asking,
  growth: StreamingAnswer,
  attempt: Attempt,
  options: AnswererOptions,
): Promise<AnswerOutcome | null> {
  try {
    return await inConversation(question, conversation, growth, attempt, options);
  } catch (error) {
    if (attempt.stopped.aborted) return stopped(growth.text);
    return attempt.shutdown.aborted ? null : failed(error, growth.text);
  } finally {
    await growth.end();
  }
}

async function inConversation(
  question: Question,
  conversation: Asking,
  growth: StreamingAnswer,
  attempt: Attempt,
  options: AnswererOptions,
): Promise<AnswerOutcome> {
  const stream = (conversationId: string | null) =>
    streamed(question, { ...conversation, conversationId }, growth, attempt, options);
  try {
    return await stream(conversation.conversationId);
  } catch (error) {
    const unknown = error instanceof ServiceError && (error.status === 404 || error.status === 410);
    if (conversation.conversationId === null || !unknown) throw error;
    return noting(STARTED_ANEW, await stream(null));
  }
}

async function streamed(
  question: Question,
  conversation: Asking,
  growth: StreamingAnswer,
  { shutdown, stopped, onActivity }: Attempt,
  options: AnswererOptions,
): Promise<AnswerOutcome> {
  const id = conversation.conversationId;
  const signal = AbortSignal.any([shutdown, stopped]);
  // Reading what goes with the question may take a while; a stop does not wait for it.
  const { words, thread, notRead } = await raceAbort(
    signal,
    requestFor(question, conversation, id === null, options),
  );
  const request = {
    question: words,
    ...(thread !== null && { thread }),
    ...(id !== null && { conversation_id: id }),
  };
  await options.checkpoint('answer: before send');
  const { timeoutMs } = options;
  const { query } = options.services.for(conversation.organization);
  // Who asks in a direct message asks for themselves.
  const origin = isDirect(conversation) ? { isPrivate: false } : await options.originOf(conversation);
  for await (const event of query.stream(request, signal, { timeoutMs, origin })) {
    if (event.kind === 'done') return noting(notRead, outcomeOf(event));
    onActivity();
    if (event.kind === 'delta') growth.take(event.text);
    // In a direct message the session shows that it works, and a refresh would keep the first words waiting.
    else if (!isDirect(conversation)) await showProgress(question, event.text, growth, options);
  }
  return { ...failed(undefined, growth.text), note: whyBrokenOff(undefined) };
}

/** What the agent looks at, until its first words arrive. */
async function showProgress(
  { id }: Question,
  text: string,
  growth: StreamingAnswer,
  { store, clock, log }: AnswererOptions,
): Promise<void> {
  if (growth.text !== '') return;
  try {
    await store.transaction(async (tx) => {
      await tx.questions.update(id, { note: text }, clock.now());
      await refreshAnswer(tx, id);
    });
  } catch (error) {
    log.warn({ err: error, question: id }, 'could not store the progress of an answer');
  }
}

function isDirect({ channel }: Pick<Conversation, 'channel'>): boolean {
  return channel.startsWith('D');
}

/** What is shown is stored first; if that fails, the next words bring it along. */
function growthOf(
  question: Question,
  conversation: Conversation,
  { store, clock, log }: AnswererOptions,
): StreamingAnswer {
  return createStreamingAnswer({
    clock,
    everyMs: isDirect(conversation) ? SHOW_EVERY_MS.dm : SHOW_EVERY_MS.channel,
    show: async (soFar) => {
      try {
        await store.transaction(async (tx) => {
          await tx.questions.update(question.id, { answer: soFar }, clock.now());
          await refreshAnswer(tx, question.id);
        });
      } catch (error) {
        log.warn({ err: error, question: question.id }, 'could not store a streaming answer');
      }
    },
  });
}

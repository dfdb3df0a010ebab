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
import { type Clock, raceAbort } from '../../lib/clock.ts';
import { questionOwner } from '../store/artifacts.ts';
import type { Conversation } from '../store/conversations.ts';
import type { Aggregates } from '../store/open.ts';
import type { Question } from '../store/questions.ts';
import type { AnswererOptions } from './agent-context.ts';
import { type Asking, NotAskedError, organizationOf } from './organization.ts';
import { artifactsOf, chartedIn, refreshAnswer, refreshQueued } from './question.ts';
import { requestFor } from './request.ts';

/** What has become of a question. */
interface AnswerOutcome {
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
function outcomeOf({
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
function failed(error: unknown, arrived: string): AnswerOutcome {
  const brokeOff = arrived !== '' && error instanceof ServiceError && !(error instanceof CancelledError);
  const note = brokeOff ? whyBrokenOff(error) : whyNotAnswered(error);
  return { state: 'failed', answer: arrived, artifacts: [], note, conversationId: null, error };
}

/** What is said below a whole answer; one that failed has its own sentence there. */
function noting(note: string | null, outcome: AnswerOutcome): AnswerOutcome {
  if (note === null || outcome.state !== 'complete') return outcome;
  return { ...outcome, note: outcome.note === null ? note : `${note} ${outcome.note}` };
}

/** Somebody wanted no more of it. */
function stopped(arrived: string): AnswerOutcome {
  return { state: 'stopped', answer: arrived, artifacts: [], note: null, conversationId: null };
}

/** Stores the outcome of a question, and updates its message and those of the questions behind it. */
async function keepOutcome(
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

/** In channels each update is an edit, of which Slack takes about one a second; in DMs the answer is streamed. */
const SHOW_EVERY_MS = { channel: 1_000, dm: 200 };
const STARTED_ANEW = 'The service had lost this conversation, so I started a new one.';
const NOT_KEPT =
  'I could not store the answer. Try again; if it keeps happening, tell whoever operates me to check the disk.';

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

/** About a minute: a disk that is full for longer needs an operator. */
const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

interface RetryOptions {
  clock: Clock;
  /** No further attempt. */
  signal: AbortSignal;
  onError(error: unknown): void;
}

/** Retries something for a while; rejects with its last failure, or on the signal. */
async function retry(work: () => Promise<void>, { clock, signal, onError }: RetryOptions): Promise<void> {
  for (const waitMs of WAITS_MS) {
    try {
      return await work();
    } catch (error) {
      onError(error);
      await clock.sleep(waitMs, signal);
    }
  }
  return work();
}

interface StreamingAnswer {
  /** All that has arrived. */
  readonly text: string;
  take(delta: string): void;
  /** No more updates follow once this has resolved; the complete answer does. */
  end(): Promise<void>;
}

interface GrowthOptions {
  clock: Clock;
  /** The least time between two updates. */
  everyMs: number;
  /** Shows the text so far. Must not reject. */
  show(soFar: string): Promise<void>;
}

/**
 * Shows the first words at once and what follows at its pace, beside the reading, which it never holds up. What arrived
 * between two showings is shown when its time has come, also where nothing follows.
 */
export function createStreamingAnswer({ clock, everyMs, show }: GrowthOptions): StreamingAnswer {
  const ended = new AbortController();
  let text = '';
  let showing: Promise<void> | null = null;

  async function showOn(): Promise<void> {
    let shown = '';
    while (text !== shown && !ended.signal.aborted) {
      shown = text;
      await show(shown);
      await clock.sleep(everyMs, ended.signal).catch(() => undefined);
    }
    showing = null;
  }

  return {
    get text() {
      return text;
    },
    take: (delta) => {
      text += delta;
      showing ??= showOn();
    },
    end: async () => {
      ended.abort();
      await showing;
    },
  };
}

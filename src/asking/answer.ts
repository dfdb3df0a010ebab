import { ServiceError } from '../service/errors.ts';
import { InvestigationResults } from '../service/schema/results.ts';
import { explainServiceError } from '../service/words.ts';
import type { Conversation } from '../store/conversations.ts';
import type { Question } from '../store/questions.ts';
import { withIssue } from './opening.ts';
import type { AnswererOptions } from './options.ts';

/** A growing answer is kept, and shown, about once a second. */
const SHOW_EVERY_MS = 1_000;
const STARTED_ANEW = 'The service no longer knew this conversation, so a new one was started.';
const INCOMPLETE = 'The answer broke off before its end. Ask again to get it whole.';

interface Whole {
  text: string;
  artifacts: unknown[];
  conversationId: string | null;
  note: string | null;
}

/** Asks one question, lets its answer grow in Slack, and keeps the whole of it with the conversation's id. */
export async function answer(
  question: Question,
  options: AnswererOptions,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, metrics, log } = options;
  const conversation = await store.conversations.get(question.conversation);
  if (!conversation) return;
  await store.questions.update(question.id, { state: 'asking', answer: '' }, clock.now());
  options.outbox.ring();
  try {
    const whole = await inConversation(question, conversation, options, signal);
    await store.transaction(async (tx) => {
      const now = clock.now();
      await tx.questions.update(
        question.id,
        {
          state: 'complete',
          answer: whole.text,
          artifacts: JSON.stringify(whole.artifacts),
          note: whole.note,
        },
        now,
      );
      if (whole.conversationId) await tx.conversations.continueAs(conversation.id, whole.conversationId, now);
      await refresh(tx, question);
    });
    metrics.count('gumshoe_questions_total', { outcome: 'answered' });
  } catch (error) {
    // A shutdown: the question stays as it is, and is asked again at the next start.
    if (signal.aborted) return;
    log.warn({ err: error, question: question.id }, 'a question was not answered');
    metrics.count('gumshoe_questions_total', { outcome: 'failed' });
    await store.transaction(async (tx) => {
      await tx.questions.update(
        question.id,
        { state: 'failed', note: explainServiceError(error) },
        clock.now(),
      );
      await refresh(tx, question);
    });
  }
  await options.step('answer: kept');
  options.outbox.ring();
}

async function inConversation(
  question: Question,
  conversation: Conversation,
  options: AnswererOptions,
  signal: AbortSignal,
): Promise<Whole> {
  try {
    return await stream(question, conversation, conversation.conversation_id, options, signal);
  } catch (error) {
    const unknown = error instanceof ServiceError && (error.status === 404 || error.status === 410);
    if (conversation.conversation_id === null || !unknown) throw error;
    const whole = await stream(question, conversation, null, options, signal);
    return { ...whole, note: whole.note ?? STARTED_ANEW };
  }
}

async function stream(
  question: Question,
  conversation: Conversation,
  conversationId: string | null,
  options: AnswererOptions,
  signal: AbortSignal,
): Promise<Whole> {
  const { service, clock, store } = options;
  const request = {
    question: conversationId === null ? await opening(question, conversation, options) : question.text,
    ...(conversationId === null ? {} : { conversation_id: conversationId }),
  };
  let text = '';
  let shownAt = clock.now();
  await options.step('answer: before send');
  for await (const event of service.query.stream(request, signal, { timeoutMs: options.timeoutMs })) {
    if (event.kind === 'done') {
      const response = event.response;
      return {
        text: response?.answer ?? event.text,
        artifacts: response?.artifacts ?? [],
        conversationId: response?.conversation_id ?? conversationId,
        note: event.complete ? null : INCOMPLETE,
      };
    }
    text += event.text;
    if (clock.now() - shownAt < SHOW_EVERY_MS) continue;
    shownAt = clock.now();
    const soFar = text;
    await store.transaction(async (tx) => {
      await tx.questions.update(question.id, { answer: soFar }, clock.now());
      await refresh(tx, question);
    });
    options.outbox.ring();
  }
  return { text, artifacts: [], conversationId, note: INCOMPLETE };
}

/** The first question of an issue's conversation says what it is about. */
async function opening(
  question: Question,
  conversation: Conversation,
  { store }: AnswererOptions,
): Promise<string> {
  const issue = conversation.issue_id === null ? null : await store.issues.get(conversation.issue_id);
  if (!issue) return question.text;
  const latest = await store.results.latest(issue.id);
  const results = latest ? InvestigationResults.parse(JSON.parse(latest.body)) : null;
  return withIssue(question.text, issue, results?.rootCause?.rootCauseSummary ?? null);
}

/** Asks for an edit of the answer's message. */
async function refresh(
  tx: { outbox: { again(key: string): Promise<void> } },
  question: Question,
): Promise<void> {
  await tx.outbox.again(`answer:${question.id}`);
}

import { artifactsOf } from '../../asking/answer-artifacts.ts';
import { AT_ONCE } from '../../asking/answerer.ts';
import { beginningWhileOpen, renderAnswerParts } from '../../render/asking/answer.ts';
import { asPeopleCount } from '../../render/markdown/issue-links.ts';
import type { AnswerView } from '../../render/views.ts';
import { SIMULATED } from '../../render/words.ts';
import { personOf } from '../../store/intents/payloads.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Question } from '../../store/questions.ts';
import type { Growing } from '../delivery/content.ts';
import { withoutMembership } from './dm.ts';
import { issueLinksIn } from './issue-links.ts';
import type { ContentSource } from './source.ts';

const states: Record<Question['state'], AnswerView['state']> = {
  queued: 'queued',
  asking: 'growing',
  complete: 'complete',
  failed: 'failed',
  stopped: 'stopped',
  late: 'queued',
};

export const answer: ContentSource = async (row, deps) => {
  const { store, clock, simulated, identity } = deps;
  const question = row.questionId === null ? null : await store.questions.get(row.questionId);
  const conversation = question ? await store.conversations.get(question.conversation) : null;
  if (!question || !conversation) return { kind: 'nothing' };
  const asksByCommand = row.threadTs === null;
  const { shown = asksByCommand ? question.text : null } = personOf(row);
  const state = states[question.state];
  const written = beginningWhileOpen({ state, answer: question.answer });
  const answer = asPeopleCount(written, conversation.organization ?? 'default');
  const { withheld } = question;
  // Only the asker has read the question, so quoting it reveals no more than the answer does.
  const isQuoted = withheld !== 'all';
  const view: AnswerView = {
    questionId: question.id,
    askedBy: shown !== null || question.asker !== conversation.startedBy ? question.asker : null,
    question: isQuoted ? shown : null,
    answer,
    artifacts: artifactsOf(question),
    state,
    ahead: question.state === 'queued' ? await store.questions.ahead(question) : 0,
    elapsedMs: clock.now() - (await waitsSince(question, store, clock.now())),
    stoppedBy: question.stoppedBy,
    // One button per thread is enough.
    listening: conversation.listening && (await store.questions.isFirst(question)),
    issueLinks: await issueLinksIn(answer, row.channel, deps),
    note: question.note,
    withheld,
    simulated,
  };
  const [first, ...rest] = renderAnswerParts(view);
  const stream = growingOf(view, row);
  return {
    kind: 'messages',
    parts: [withoutMembership(first, row, identity.botUserId), ...rest],
    channel: row.channel,
    threadTs: row.threadTs,
    ...(stream === null ? {} : { stream }),
  };
};

/**
 * In a direct message, an answer in progress is streamed, unless it is queued behind other questions or shares its
 * message with the question: a stream shows nothing but the answer.
 */
function growingOf(view: AnswerView, { channel, threadTs }: OutboxRow): Growing | null {
  const isOpen = view.state === 'growing' || (view.state === 'queued' && view.ahead === 0);
  if (!isOpen || !channel.startsWith('D') || threadTs === null || view.question !== null) return null;
  const opening = view.simulated ? `*${SIMULATED}*\n\n` : '';
  return { opening, text: view.answer };
}

/** When the agent started; for a queued question, since when it waits for a free slot. */
async function waitsSince(
  { state, createdAt, askedAt }: Question,
  { questions }: Pick<Store, 'questions'>,
  now: number,
): Promise<number> {
  if (state !== 'queued') return askedAt ?? now;
  return (await questions.countAsking()) < AT_ONCE ? now : createdAt;
}

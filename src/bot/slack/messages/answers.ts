import { AT_ONCE } from '../../asking/answerer.ts';
import { artifactsOf, chartedIn } from '../../asking/question.ts';
import { beginningWhileOpen, renderAnswerParts } from '../../render/asking/answer.ts';
import { lateAnswersAskedFor, offerToAnswer, stoppedListening } from '../../render/asking/thread-notices.ts';
import { asPeopleCount, issuesNamed } from '../../render/markdown/issue-links.ts';
import type { Rendered } from '../../render/rendered.ts';
import type { AnswerView } from '../../render/views.ts';
import { SIMULATED } from '../../render/words.ts';
import { type IssueNumber, issueNumber } from '../../shared/issue-number.ts';
import { questionOwner } from '../../store/artifacts.ts';
import { cardKey } from '../../store/intents/keys.ts';
import { payloadOf, personOf } from '../../store/intents/payloads.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Question } from '../../store/questions.ts';
import type { Growing } from '../delivery/content.ts';
import { readSent } from '../delivery/sent.ts';
import { artifactsKept } from './results.ts';
import { type ContentDeps, type ContentSource, withoutMembership } from './source.ts';

/** An answer that names more issues is a list, and each link takes up space in the message. */
const MOST = 20;

/** Links to the cards of issues mentioned in a text, as far as readers of the channel may see them, by number. */
async function issueLinksIn(
  text: string,
  channel: string,
  deps: ContentDeps,
): Promise<Record<IssueNumber, string>> {
  const named = issuesNamed(text).slice(0, MOST);
  const links: Record<IssueNumber, string> = {};
  for (const issue of await deps.store.issues.byNumbers(named)) {
    if (!(await deps.mayRead({ channel }, issue))) continue;
    const link = await cardLink(issue, deps);
    const number = issueNumber(issue);
    if (number !== null && link !== null) links[number] = link;
  }
  return links;
}

/** `null` until the card is posted. */
async function cardLink(
  { id, channel, threadTs }: Issue,
  { store, permalink }: ContentDeps,
): Promise<string | null> {
  const row = await store.outbox.get(cardKey(id));
  const ts = row === null ? undefined : readSent(row.sent)?.[0]?.ts;
  if (ts === undefined) return null;
  const isReply = threadTs !== null && threadTs !== ts;
  return `${permalink(channel, ts)}${isReply ? `?thread_ts=${threadTs}&cid=${channel}` : ''}`;
}

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
  const view: AnswerView = {
    questionId: question.id,
    askedBy: shown !== null || question.asker !== conversation.startedBy ? question.asker : null,
    question: shown,
    answer,
    artifacts: artifactsOf(question),
    metrics:
      state === 'complete'
        ? await artifactsKept(questionOwner(question.id), chartedIn(artifactsOf(question)), store)
        : [],
    state,
    ahead: question.state === 'queued' ? await store.questions.ahead(question) : 0,
    elapsedMs: clock.now() - (await waitsSince(question, store, clock.now())),
    stoppedBy: question.stoppedBy,
    // One button per thread is enough.
    listening: conversation.listening && (await store.questions.isFirst(question)),
    issueLinks: await issueLinksIn(answer, row.channel, deps),
    note: question.note,
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

/** Notices in a conversation's thread, beside its answers. */
export const threadNotice: ContentSource = async (row, { store }) => ({
  kind: 'messages',
  parts: [await rendered(row, store)],
  channel: row.channel,
  threadTs: row.threadTs,
});

async function rendered(row: OutboxRow, store: Store): Promise<Rendered> {
  const payload = payloadOf('aside', row);
  if (payload.aside === 'not_listening') return stoppedListening(payload.who, row.channel.startsWith('D'));
  const late = await store.questions.offeredBy(row.key);
  if (late.length === 0) return lateAnswersAskedFor(payload.by ?? null);
  return offerToAnswer(row.key, late);
}

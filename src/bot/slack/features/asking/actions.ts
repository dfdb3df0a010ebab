import { z } from 'zod';
import {
  answerLate as answer,
  askAgain,
  ask as askQuestion,
  startConversation,
} from '../../../asking/ask.ts';
import { stopAnswer as stop, stopListening as stopConversation } from '../../../asking/stop.ts';
import type { Deps } from '../../../deps.ts';
import { issueIdOf } from '../../../filing/reference.ts';
import { findStep, stepName } from '../../../issues/checklist.ts';
import type { actionIds } from '../../../render/action-ids.ts';
import { usageAsk } from '../../../render/admin/usage.ts';
import {
  answeredAlready,
  calledSince,
  listensNoMore,
  notAskedAgain,
  nothingToStop,
  questionUnknownHere,
} from '../../../render/asking/asking-notices.ts';
import { nothingToVoteOn, thanksForVote } from '../../../render/asking/feedback.ts';
import { notAllowed } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import { noThreadYet, stepUnknown } from '../../../render/results/checklist.ts';
import type { Moment } from '../../../shared/moment.ts';
import { parseVoteKey, type VoteSubject, voteKey } from '../../../shared/vote-subject.ts';
import { askHereIntent } from '../../../store/intents/issue-intents.ts';
import { askHereKey, StoredOutboxKey } from '../../../store/intents/keys.ts';
import { type OurQuestion, ourQuestion } from '../../access/rights.ts';
import type { CommandCall, Subcommand } from '../../commands/command.ts';
import type { Register } from '../../listening/feature.ts';
import { onIssueAction } from '../../listening/issue-actions.ts';
import { notifyPerson, postEphemeral } from '../../listening/notify.ts';
import { anybody, onButton, type Press } from '../../listening/press.ts';
import { stepOf } from '../results.ts';

export const askCommand: Subcommand = {
  example: 'ask what is slow?',
  does: 'same as `/ask`',
  run: askAgent,
};

async function askAgent(
  { command, words, channel, userId, cause, respond }: CommandCall,
  deps: Deps,
): Promise<void> {
  if (words === '') return notifyPerson(respond, usageAsk(command), deps);
  const question = { id: cause, channel, threadTs: null, asker: userId, text: words };
  await askQuestion(question, deps);
}

/** *Ask* on a card: from now on, replies in the issue's thread are questions to the agent. */
export const ask = onIssueAction('ask', async ({ issue, userId, triggerId, moment }, deps) => {
  const { channel, threadTs } = issue;
  if (threadTs === null) return;
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const id = issueIdOf('thread', channel, threadTs);
    const before = await tx.conversations.byThread(channel, threadTs);
    const conversation = await startConversation(
      tx,
      { id, channel, threadTs, asker: userId, ts: moment.ts, calls: true },
      now,
    );
    if (await tx.outbox.get(askHereKey(conversation.id, triggerId))) return;
    // Announced once, and again each time after somebody pressed *Stop listening*.
    const press = before?.listening === false ? triggerId : null;
    const intent = askHereIntent({ id: issue.id, channel, threadTs }, conversation.id, press, now);
    if (await tx.outbox.get(intent.key)) return;
    await tx.outbox.want(intent);
  });
});

/** *Ask about this step*: asks the question in the issue's thread, on behalf of whoever pressed it. */
export const askAboutStep = onIssueAction('askAboutStep', async (context, deps) => {
  const { issue, userId, respond, triggerId, moment } = context;
  const ref = stepOf(context);
  const found = ref === null ? null : await findStep(ref, deps.store);
  if (found === null) return notifyPerson(respond, stepUnknown(), deps);
  if (issue.threadTs === null) return notifyPerson(respond, noThreadYet(), deps);
  const { step, action } = found;
  const name = stepName(step);
  const content = step.content?.trim() ?? '';
  const of = action.title?.trim() ? ` of “${action.title.trim()}”` : '';
  const lines = [
    `What does the step “${name}”${of} do, how do I carry it out safely, and how do I know that it worked?`,
    ...(content === '' || content === name ? [] : [`The step says:\n${content}`]),
  ];
  const asked = {
    id: `step:${issue.id}:${triggerId}`,
    channel: issue.channel,
    threadTs: issue.threadTs,
    asker: userId,
    text: lines.join('\n\n'),
    shown: `About the step “${name}”`,
    ts: moment.ts,
    calls: true,
  };
  await askQuestion(asked, deps);
});

/**
 * A listener for one of the buttons under an answer, which only work where that answer is.
 *
 * @param act returns what to tell the person privately (that the press came too late), or `null` if what they see says
 *   it all
 */
function onQuestionAction(
  name: keyof typeof actionIds,
  act: (context: OurQuestion & Press, deps: Deps) => Promise<Rendered | null>,
): Register {
  return onButton(
    name,
    async (press, deps) => {
      const asked = await ourQuestion(press.value, press.channel, deps);
      return asked === null ? questionUnknownHere() : act({ ...asked, ...press }, deps);
    },
    { inThread: true },
  );
}

/** *Stop* under an answer in progress or in the queue, for anybody who can read it. */
export const stopAnswer = onQuestionAction('stopAnswer', async ({ question, userId, moment }, deps) =>
  (await stop(question.id, userId, deps, moment.ts)) ? null : nothingToStop(),
);

/** *Stop listening* under an answer: from now on, replies in its thread are between people. */
export const stopListening = onQuestionAction(
  'stopListening',
  async ({ conversation, userId: who, triggerId: cause, moment }, deps) => {
    const outcome = await stopConversation(conversation.id, { who, cause, moment }, deps);
    if (outcome === 'stopped') return null;
    return outcome === 'overtaken' ? calledSince() : listensNoMore();
  },
);

/** *Try again* under an answer that failed or was stopped. If a limit is reached, the answer itself says so. */
export const tryAgain = onQuestionAction('tryAgain', async ({ question, userId, moment }, deps) => {
  const outcome = await askAgain(question.id, userId, deps, moment.ts);
  return outcome === 'not_now' ? notAskedAgain() : null;
});

/** *Answer them*, under the notice about questions that arrived while Gumshoe was down. */
export const answerLate: Register = onButton(
  'answerLate',
  async ({ value, channel, userId, moment }, deps) => {
    const key = StoredOutboxKey.safeParse(value).data;
    const line = key === undefined ? null : await deps.store.outbox.get(key);
    // The button is under its own notice; a value that names another one is forged.
    if (key === undefined || line?.kind !== 'aside' || line.channel !== channel) return questionUnknownHere();
    const outcome = await answer(key, userId, deps, moment.ts);
    return outcome === 'not_now' ? answeredAlready() : null;
  },
  { inThread: true },
);

const Where = z.looseObject({ ts: z.string(), thread_ts: z.string().optional() });
const VALUE = /^(?<way>up|down):(?<key>.+)$/u;

/** 👍 and 👎 under results and answers: one vote per person, which they can change. */
function onVote(name: 'vote' | 'voteUp' | 'voteDown'): Register {
  return onButton(
    name,
    async ({ value, userId, channel, moment, body }, deps) => {
      if (channel === '') return;
      const where = Where.safeParse(body.message);
      const threadTs = where.success ? (where.data.thread_ts ?? where.data.ts) : null;
      const thanks = await cast(value, userId, channel, moment, deps);
      await postEphemeral(thanks, { channel, user: userId, threadTs }, deps);
    },
    { may: anybody },
  );
}

async function cast(
  pressed: string,
  who: string,
  channel: string,
  moment: Moment,
  deps: Deps,
): Promise<Rendered> {
  const refusal = await deps.people.refusal(who);
  if (refusal) return notAllowed(refusal);
  const meant = read(pressed);
  const home = meant === null ? null : await homeOf(meant.subject, deps);
  if (meant === null || home === null || !(await deps.mayRead({ channel }, { channel: home }))) {
    return nothingToVoteOn();
  }
  const { value, subject } = meant;
  const vote = { subject: voteKey(subject), who, value, channel: home, at: deps.clock.now() };
  await deps.checkpoint('vote: before store');
  const act = { ...moment, subject: `vote:${vote.subject}:${who}`, who, what: String(value) };
  const outcome = await deps.store.transaction(async (tx) =>
    (await tx.acts.take(act, vote.at)) === null ? tx.votes.cast(vote) : ('overtaken' as const),
  );
  await deps.checkpoint('vote: stored');
  return thanksForVote(value, outcome);
}

function read(pressed: string): { value: 1 | -1; subject: VoteSubject } | null {
  const found = VALUE.exec(pressed)?.groups;
  const subject = parseVoteKey(found?.key ?? '');
  return subject === null ? null : { value: found?.way === 'up' ? 1 : -1, subject };
}

/** The channel of the result or answer that is voted on; `null` if it does not exist. */
async function homeOf(subject: VoteSubject, { store }: Deps): Promise<string | null> {
  if ('issueId' in subject) {
    const voted = await store.results.get(subject.issueId, subject.version);
    return voted === null ? null : ((await store.issues.get(subject.issueId))?.channel ?? null);
  }
  const question = await store.questions.get(subject.questionId);
  const conversation = question ? await store.conversations.get(question.conversation) : null;
  return conversation?.channel ?? null;
}

export const vote: Register = onVote('vote');
export const voteUp: Register = onVote('voteUp');
export const voteDown: Register = onVote('voteDown');

import type { BlockAction } from '@slack/bolt';
import { z } from 'zod';
import type { Moment } from '../../../../lib/moment.ts';
import { parseVoteKey, type VoteSubject, voteKey } from '../../../../lib/vote-subject.ts';
import { mayBeShownIn } from '../../../filing/privacy.ts';
import { actionIds } from '../../../render/action-ids.ts';
import { nothingToVoteOn, thanksForVote } from '../../../render/asking/vote-notices.ts';
import { notAllowed } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import { momentOf } from '../../commands/moment-of.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { postEphemeral } from '../../listening/tell.ts';

const ButtonAction = z.looseObject({ value: z.string() });
const Where = z.looseObject({ ts: z.string(), thread_ts: z.string().optional() });
const VALUE = /^(?<way>up|down):(?<key>.+)$/u;

/** 👍 and 👎 under results and answers: one vote per person, which they can change. */
function onVote(name: 'vote' | 'voteUp' | 'voteDown'): Register {
  return (app, deps) => {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: actionIds[name] },
      async ({ ack, body, context, action }) => {
        await ack();
        const channel = body.channel?.id;
        if (channel === undefined) return;
        const where = Where.safeParse(body.message);
        const threadTs = where.success ? (where.data.thread_ts ?? where.data.ts) : null;
        const answer = await cast(action, body.user.id, channel, momentOf({ body, context }, deps), deps);
        await postEphemeral(answer, { channel, user: body.user.id, threadTs }, deps);
      },
    );
  };
}

async function cast(
  action: unknown,
  who: string,
  channel: string,
  moment: Moment,
  deps: ListenerDeps,
): Promise<Rendered> {
  const refusal = await deps.people.refusal(who);
  if (refusal) return notAllowed(refusal);
  const meant = read(action);
  const home = meant === null ? null : await homeOf(meant.subject, deps);
  if (meant === null || home === null || !(await mayBeShownIn(deps.store, home, channel))) {
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

function read(action: unknown): { value: 1 | -1; subject: VoteSubject } | null {
  const parsed = ButtonAction.safeParse(action);
  const found = parsed.success ? VALUE.exec(parsed.data.value)?.groups : undefined;
  const subject = parseVoteKey(found?.key ?? '');
  return subject === null ? null : { value: found?.way === 'up' ? 1 : -1, subject };
}

/** The channel of the result or answer that is voted on; `null` if it does not exist. */
async function homeOf(subject: VoteSubject, { store }: ListenerDeps): Promise<string | null> {
  if ('issueId' in subject) {
    const body = await store.results.get(subject.issueId, subject.version);
    return body === null ? null : ((await store.issues.get(subject.issueId))?.channel ?? null);
  }
  const question = await store.questions.get(subject.questionId);
  const conversation = question ? await store.conversations.get(question.conversation) : null;
  return conversation?.channel ?? null;
}

export const vote: Register = onVote('vote');
export const voteUp: Register = onVote('voteUp');
export const voteDown: Register = onVote('voteDown');

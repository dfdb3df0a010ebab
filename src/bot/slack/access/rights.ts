import type { Deps } from '../../deps.ts';
import { hasShortCard } from '../../filing/file.ts';
import type { actionIds } from '../../render/action-ids.ts';
import type { MoreChoice } from '../../render/issues/more.ts';
import { shortCardActions } from '../../render/issues/short-card.ts';
import {
  inviteFirst,
  isArchived,
  lacksScopes,
  maySetNot,
  needsChannel,
} from '../../render/issues/steering-notices.ts';
import { notAllowed } from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import type { Conversation } from '../../store/conversations.ts';
import { answerKey } from '../../store/intents/keys.ts';
import type { Issue } from '../../store/issues.ts';
import type { Question } from '../../store/questions.ts';
import { classifySlackError } from '../errors.ts';
import { type ChannelAccess, channelAccess } from './channel-access.ts';
import { looksUpMember } from './membership.ts';

/** The errors if the bot is not a member itself. */
const NOT_SHOWN = new Set(['channel_not_found', 'not_in_channel']);

/**
 * Whether Slack says that somebody is not in the channel that a modal remembers: they may have left since it was
 * opened. Where the bot is not either, Slack does not say.
 */
export async function hasLeft(userId: string, channel: string, { client, store }: Deps): Promise<boolean> {
  if (channel.startsWith('D') || !(await store.channels.get(channel)).isPrivate) return false;
  try {
    return !(await looksUpMember(client, userId, channel));
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind !== 'refused') throw error;
    return !NOT_SHOWN.has(failure.error);
  }
}

/** What somebody can do with an issue: by a button, a menu, a modal or a command. */
export type IssueAction = keyof typeof actionIds | MoreChoice | 'ready';

const OF_SHORT_CARDS: ReadonlySet<string> = new Set(shortCardActions);

/**
 * Whether an action is permitted on an issue in a channel: any of them if the issue may be shown there, otherwise only
 * what its short card offers. Values and `private_metadata` can be forged, so this is checked when the action is
 * taken.
 */
export async function isPermitted(
  action: IssueAction,
  issue: Issue,
  channel: string,
  { store, mayRead }: Deps,
): Promise<boolean> {
  if (await mayRead({ channel }, issue)) return true;
  return OF_SHORT_CARDS.has(action) && (await hasShortCard(store, issue.id, channel));
}

/**
 * The same for a modal that remembers its channel: if only that channel allows the issue to be shown, the person must
 * be in it now.
 */
export async function isPermittedInModal(
  action: IssueAction,
  issue: Issue,
  { person, channel }: { person: string; channel: string },
  deps: Deps,
): Promise<boolean> {
  if (!(await isPermitted(action, issue, channel, deps))) return false;
  return (await deps.mayRead({}, issue)) || (await deps.mayRead({ person }, { channel }, 'now'));
}

export interface OurQuestion {
  question: Question;
  conversation: Conversation;
}

/**
 * A question at the place of its answer: its own channel, or the asker's direct messages if the bot is not a member
 * there. `null` anywhere else: button values are not trusted.
 */
export async function ourQuestion(id: string, channel: string, { store }: Deps): Promise<OurQuestion | null> {
  const question = await store.questions.get(id);
  const conversation = question && (await store.conversations.get(question.conversation));
  if (!question || !conversation) return null;
  if (channel === conversation.channel) return { question, conversation };
  const answer = await store.outbox.get(answerKey(id));
  return channel === answer?.channel ? { question, conversation } : null;
}

/**
 * Checks whether the bot can work in a channel, and records whether it is private.
 *
 * @returns what to tell the person; `null` if all is well.
 */
export async function accessProblem(channel: string, { client, store }: Deps): Promise<Rendered | null> {
  const access = await channelAccess(client, channel);
  if (!access.ok) return inTheWay(access, channel);
  await store.channels.learn(channel, access.isPrivate);
  return null;
}

/**
 * Checks whether somebody may change a channel's settings, and whether the bot can do what they say: when the modal
 * opens, and again when it is submitted.
 *
 * @returns what to tell the person instead; `null` if all is well.
 */
export async function settingsRefused(userId: string, channel: string, deps: Deps): Promise<Rendered | null> {
  const [refusal, problem] = await Promise.all([deps.people.refusal(userId), accessProblem(channel, deps)]);
  if (refusal) return notAllowed(refusal);
  if (problem) return problem;
  const may = await deps.people.maySet(userId, channel);
  if (may === null) return null;
  return may === 'guest' || may === 'external' ? notAllowed(may) : maySetNot(may, channel);
}

/** The same of a press, or a modal, about a channel. */
export const mayConfigure = (userId: string, { channel }: { channel: string }, deps: Deps) =>
  settingsRefused(userId, channel, deps);

function inTheWay(access: Extract<ChannelAccess, { ok: false }>, channel: string): Rendered {
  switch (access.why) {
    case 'no_channel':
      return needsChannel();
    case 'not_in_channel':
      return inviteFirst(channel);
    case 'archived':
      return isArchived(channel);
    case 'missing_scope':
      return lacksScopes(access.scopes);
  }
}

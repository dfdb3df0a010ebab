import type { WebClient } from '@slack/web-api';
import type { IssueSummary } from '../../../contract/answers.ts';
import { ServiceError } from '../../../contract/client/errors.ts';
import type { Organization } from '../../../lib/issue-number.ts';
import { hasShortCard } from '../../filing/file.ts';
import { mayBeShownIn } from '../../filing/privacy.ts';
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
import type { Store } from '../../store/open.ts';
import type { Question } from '../../store/questions.ts';
import { classifySlackError } from '../errors.ts';
import type { ListenerDeps } from '../listening/deps.ts';
import { openDm } from '../open-dm.ts';
import { type ChannelAccess, channelAccess } from './channel-access.ts';
import type { Belonging } from './issue-access.ts';
import { looksUpMember } from './membership.ts';

/** Whether somebody may be where a modal says they are; `unknown` if Slack does not show us the channel. */
type Presence = 'there' | 'elsewhere' | 'unknown';

/** The errors if the bot is not a member itself. */
const NOT_SHOWN = new Set(['channel_not_found', 'not_in_channel']);

/**
 * Asks Slack again, because a modal remembers where it was opened, and whoever opened it may have left since. Anybody
 * who may use Gumshoe may be in a public channel.
 */
export async function presenceOf(
  userId: string,
  channel: string,
  { client, store }: { client: WebClient; store: Store },
): Promise<Presence> {
  // Any other is between other people, or is somebody else's with us: Slack does not say which.
  if (channel.startsWith('D')) return (await openDm(client, userId)) === channel ? 'there' : 'unknown';
  const { isPrivate } = await store.channels.get(channel);
  if (!isPrivate) return 'there';
  try {
    return (await looksUpMember(client, userId, channel)) ? 'there' : 'elsewhere';
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind !== 'refused') throw error;
    return NOT_SHOWN.has(failure.error) ? 'unknown' : 'elsewhere';
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
  { store }: Pick<ListenerDeps, 'store'>,
): Promise<boolean> {
  if (await mayBeShownIn(store, issue.channel, channel)) return true;
  return OF_SHORT_CARDS.has(action) && (await hasShortCard(store, issue.id, channel));
}

/**
 * The same for a modal that remembers its channel: if only that channel allows the issue to be shown, the person must
 * be in it now.
 */
export async function isPermittedInModal(
  action: IssueAction,
  issue: Issue,
  { userId, channel }: { userId: string; channel: string },
  deps: Pick<ListenerDeps, 'store' | 'client'>,
): Promise<boolean> {
  if (!(await isPermitted(action, issue, channel, deps))) return false;
  return (await isPublic(issue, deps)) || (await presenceOf(userId, channel, deps)) === 'there';
}

/** A public channel's issue may be shown anywhere. */
function isPublic(issue: Issue, { store }: Pick<ListenerDeps, 'store'>): Promise<boolean> {
  return mayBeShownIn(store, issue.channel, '');
}

/** A question with its conversation. */
export interface OurQuestion {
  question: Question;
  conversation: Conversation;
}

/**
 * A question at the place of its answer: its own channel, or the asker's direct messages if the bot is not a member
 * there. `null` anywhere else: button values are not trusted.
 */
export async function ourQuestion(
  id: string,
  channel: string,
  { store }: Pick<ListenerDeps, 'store'>,
): Promise<OurQuestion | null> {
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
export async function accessProblem(
  channel: string,
  { client, store }: Pick<ListenerDeps, 'client' | 'store'>,
): Promise<Rendered | null> {
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
export async function settingsRefused(
  userId: string,
  channel: string,
  deps: Pick<ListenerDeps, 'people' | 'client' | 'store'>,
): Promise<Rendered | null> {
  const [refusal, problem] = await Promise.all([deps.people.refusal(userId), accessProblem(channel, deps)]);
  if (refusal) return notAllowed(refusal);
  if (problem) return problem;
  const may = await deps.people.maySet(userId, channel);
  if (may === null) return null;
  return may === 'guest' || may === 'external' ? notAllowed(may) : maySetNot(may, channel);
}

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

const MAY_BE_CUT = /^\s*$|(?:…|\.\.\.)\s*$/u;

/** A list may truncate descriptions, and with them the reference: then the issue itself is fetched. */
export async function belongingOf(
  issue: IssueSummary,
  organization: Organization,
  { access, services, log }: Pick<ListenerDeps, 'access' | 'services' | 'log'>,
): Promise<Belonging> {
  const belonging = await access.belonging(issue);
  const isTold = belonging.kind === 'ours' || (belonging.kind === 'forgotten' && belonging.channels !== null);
  if (isTold || !MAY_BE_CUT.test(issue.description)) return belonging;
  try {
    return await access.belonging(await services.for(organization).issues.get(issue.uuid));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warn({ err: error, number: issue.number }, 'could not tell which channel an issue belongs to');
    return { kind: 'forgotten', channels: null };
  }
}

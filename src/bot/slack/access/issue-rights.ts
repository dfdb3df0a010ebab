import { hasShortCard } from '../../filing/file.ts';
import { mayBeShownIn } from '../../filing/privacy.ts';
import type { actionIds } from '../../render/action-ids.ts';
import type { MoreChoice } from '../../render/issues/more.ts';
import { shortCardActions } from '../../render/issues/short-card.ts';
import type { Issue } from '../../store/issues.ts';
import type { ListenerDeps } from '../listening/deps.ts';
import { presenceOf } from './presence.ts';

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

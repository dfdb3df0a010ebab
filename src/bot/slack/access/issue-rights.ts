import { mayBeShownIn } from '../../filing/privacy.ts';
import { hasShortCard } from '../../filing/short-card.ts';
import type { actionIds } from '../../render/action-ids.ts';
import type { MoreChoice } from '../../render/issues/more.ts';
import { shortCardActions } from '../../render/issues/short-card.ts';
import type { Issue } from '../../store/issues.ts';
import type { ListenerDeps } from '../listening/deps.ts';
import { presenceOf } from './presence.ts';

/** What somebody can do with an issue: by a button, by a choice in its menu, in a modal, by a command. */
export type IssueAction = keyof typeof actionIds | MoreChoice | 'ready';

const OF_SHORT_CARDS: ReadonlySet<string> = new Set(shortCardActions);

/**
 * Whether something may be done with an issue in a channel: all of it where the issue may be shown, what its short card
 * offers where no more than that stands. Values and `private_metadata` can be forged, so it is asked where it is done.
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
 * The same for a modal that remembers its channel: where that channel alone says that an issue may be shown, they are
 * in it now.
 */
export async function isPermittedInModal(
  action: IssueAction,
  issue: Issue,
  { userId, channel }: { userId: string; channel: string },
  deps: Pick<ListenerDeps, 'store' | 'client'>,
): Promise<boolean> {
  if (!(await isPermitted(action, issue, channel, deps))) return false;
  // A public channel's issue is shown anywhere, as in nobody's channel.
  if (await mayBeShownIn(deps.store, issue.channel, '')) return true;
  return (await presenceOf(userId, channel, deps)) === 'there';
}

import { mayBeShownIn } from '../../filing/privacy.ts';
import type { Issue } from '../../store/issues.ts';
import { presenceOf } from '../presence.ts';
import { belongsTo } from './actions/pressed.ts';
import type { ListenerDeps } from './deps.ts';

/**
 * Whether an issue is somebody's to see or steer from a window that remembers its channel: it belongs there, and where
 * that channel alone says so, they are in it now.
 */
export async function isTheirs(
  issue: Issue,
  { userId, channel }: { userId: string; channel: string },
  deps: Pick<ListenerDeps, 'store' | 'client'>,
): Promise<boolean> {
  if (!(await belongsTo(issue, channel, deps))) return false;
  // A public channel's issue is shown anywhere, as in nobody's channel.
  if (await mayBeShownIn(deps.store, issue.channel, '')) return true;
  return (await presenceOf(userId, channel, deps)) === 'there';
}

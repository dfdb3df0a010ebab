import type { Channel } from '../entities.ts';
import { presentHome } from '../interact/home/present.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { dispatch } from './announce.ts';
import { subscribed } from './kinds.ts';

/** Somebody has opened the app. Where it has published a Home for them, that comes along. */
export function announceHome(
  world: WorkspaceContext,
  user: string,
  im: Channel,
  tab: 'home' | 'messages',
): void {
  if (!subscribed(world, 'app_home_opened')) return;
  const home = tab === 'home' ? world.store.homes.get(user) : undefined;
  dispatch(world, {
    type: 'app_home_opened',
    user,
    channel: im.id,
    tab,
    ...(home && { view: presentHome(world, home) }),
    event_ts: world.store.messages.nextTs(world.clock.now()),
  });
}

import type { Channel } from '../entities.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { dispatch, hears } from './announce.ts';

/** A file that the channel sees now, besides the message that shows it. */
export function announceFile(world: WorkspaceContext, channel: Channel, id: string, user_id: string): void {
  if (!hears(world, channel, 'file_shared')) return;
  dispatch(world, {
    type: 'file_shared',
    file_id: id,
    user_id,
    file: { id },
    channel_id: channel.id,
    event_ts: world.store.messages.nextTs(world.clock.now()),
  });
}

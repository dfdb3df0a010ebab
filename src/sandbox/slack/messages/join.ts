import type { Channel, Message } from '../entities.ts';
import { announceMessage } from '../events/announce.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { presentOnPage } from './present.ts';

/**
 * Makes somebody a member; the channel says so in a `channel_join` message.
 *
 * @returns whether they were not a member before.
 */
export function joinChannel(
  world: WorkspaceContext,
  channel: Channel,
  user: string,
  inviter?: string,
): boolean {
  if (!world.store.channels.join(channel.id, user)) return false;
  const message: Message = {
    type: 'message',
    subtype: 'channel_join',
    user,
    text: `<@${user}> has joined the channel`,
    ...(inviter !== undefined && { inviter }),
    ts: world.store.messages.nextTs(world.clock.now()),
  };
  world.store.messages.insert(channel.id, message);
  const shown = presentOnPage(world, channel.id, message);
  world.page.emit({ type: 'message', channel: channel.id, message: shown });
  announceMessage(world, channel, message);
  return true;
}

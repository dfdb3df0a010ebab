import type { Channel, Message } from '../entities.ts';
import { announceMessage } from '../events/announce.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { presentOnPage } from './present.ts';

/**
 * Adds a member; a `channel_join` message in the channel says so.
 *
 * @returns whether they were not a member before.
 */
export function joinChannel(
  context: WorkspaceContext,
  channel: Channel,
  user: string,
  inviter?: string,
): boolean {
  if (!context.store.channels.join(channel.id, user)) return false;
  const message: Message = {
    type: 'message',
    subtype: 'channel_join',
    user,
    text: `<@${user}> has joined the channel`,
    ...(inviter !== undefined && { inviter }),
    ts: context.store.messages.nextTs(context.clock.now()),
  };
  context.store.messages.insert(channel.id, message);
  const shown = presentOnPage(context, channel.id, message);
  context.page.emit({ type: 'message', channel: channel.id, message: shown });
  announceMessage(context, channel, message);
  return true;
}

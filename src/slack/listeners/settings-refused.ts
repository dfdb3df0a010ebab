import { notAllowed } from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import {
  inviteFirst,
  isArchived,
  lacksScopes,
  maySetNot,
  needsChannel,
} from '../../render/steering-notices.ts';
import { type ChannelAccess, channelAccess } from '../channel-access.ts';
import type { ListenerDeps } from './deps.ts';

/**
 * Whether somebody may see and change a channel's settings, and the bot can do what they say: asked when the modal
 * opens and again when it is sent. Learns on the way whether the channel is private.
 *
 * @returns what to tell them instead; `null` where nothing is in the way.
 */
export async function settingsRefused(
  userId: string,
  channel: string,
  { people, client, store }: Pick<ListenerDeps, 'people' | 'client' | 'store'>,
): Promise<Rendered | null> {
  const [refusal, access] = await Promise.all([people.refusal(userId), channelAccess(client, channel)]);
  if (refusal) return notAllowed(refusal);
  if (!access.ok) return inTheWay(access, channel);
  await store.channels.learn(channel, access.isPrivate);
  const may = await people.maySet(userId, channel);
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

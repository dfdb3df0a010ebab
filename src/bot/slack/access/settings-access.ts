import {
  inviteFirst,
  isArchived,
  lacksScopes,
  maySetNot,
  needsChannel,
} from '../../render/issues/steering-notices.ts';
import { notAllowed } from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import type { ListenerDeps } from '../listening/deps.ts';
import { type ChannelAccess, channelAccess } from './channel-access.ts';

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

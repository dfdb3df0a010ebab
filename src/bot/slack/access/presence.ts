import type { WebClient } from '@slack/web-api';
import type { Store } from '../../store/open.ts';
import { classifySlackError } from '../errors.ts';
import { openDm } from '../open-dm.ts';
import { looksUpMember } from './membership.ts';

/** Whether somebody may be where a modal says they are; `unknown` if Slack does not show us the channel. */
export type Presence = 'there' | 'elsewhere' | 'unknown';

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

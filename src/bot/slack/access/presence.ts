import type { WebClient } from '@slack/web-api';
import type { Store } from '../../store/open.ts';
import { classifySlackError } from '../errors.ts';
import { openDm } from '../open-dm.ts';
import { looksUpMember } from './membership.ts';

/** Whether somebody may be where a modal says that they are; `unknown` where Slack does not show us the channel. */
export type Presence = 'there' | 'elsewhere' | 'unknown';

/** Where the bot is no member itself. */
const NOT_SHOWN = new Set(['channel_not_found', 'not_in_channel']);

/**
 * Asks Slack anew, since a modal remembers where it was opened, and who opened it may have left since. In a public
 * channel anybody may be who may use Gumshoe at all.
 */
export async function presenceOf(
  userId: string,
  channel: string,
  { client, store }: { client: WebClient; store: Store },
): Promise<Presence> {
  // Any other is of people among themselves, or somebody else's with us: Slack does not say which.
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

import type { WebClient } from '@slack/web-api';
import { classifySlackError } from '../errors.ts';

/**
 * Whether Slack says that a channel is private now (`conversations.info`). A direct message is none, of several people
 * neither; nor is a channel that the bot is not in. Rejects where Slack cannot be asked.
 */
export async function isPrivateChannel(client: WebClient, id: string): Promise<boolean> {
  if (id.startsWith('D')) return false;
  try {
    const { channel } = await client.conversations.info({ channel: id });
    if (channel?.is_im === true || channel?.is_mpim === true) return false;
    return channel?.is_private === true && channel.is_member !== false;
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind === 'refused' && failure.error === 'channel_not_found') return false;
    throw error;
  }
}

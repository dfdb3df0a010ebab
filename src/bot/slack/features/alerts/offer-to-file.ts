import type { ChannelMessage } from '../../../filing/seen.ts';
import { offerFiling } from '../../../render/alerts/suggestion.ts';
import type { ListenerDeps } from '../../listening/deps.ts';

/** Under a person's report: a *File it* button that only its author sees. Best effort, as Slack's ephemeral messages are. */
export async function offerToFile(
  { channel, ts }: Pick<ChannelMessage, 'channel' | 'ts'>,
  author: string,
  { client, people, log }: Pick<ListenerDeps, 'client' | 'people' | 'log'>,
): Promise<void> {
  try {
    if ((await people.refusal(author)) !== null) return;
    const { text, blocks } = offerFiling({ channel, ts });
    await client.chat.postEphemeral({ channel, user: author, text, blocks });
  } catch (error) {
    log.warn({ err: error, channel, ts }, 'a person could not be offered to file their message');
  }
}

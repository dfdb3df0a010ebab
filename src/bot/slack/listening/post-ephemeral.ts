import type { Rendered } from '../../render/rendered.ts';
import type { ListenerDeps } from './deps.ts';

/** Seen by that person only; best effort, as Slack's ephemeral messages are. */
export async function postEphemeral(
  { text, blocks }: Rendered,
  { channel, user, threadTs }: { channel: string; user: string; threadTs: string | null },
  { client, log }: Pick<ListenerDeps, 'client' | 'log'>,
): Promise<void> {
  try {
    const thread = threadTs === null ? {} : { thread_ts: threadTs };
    await client.chat.postEphemeral({ channel, user, text, blocks, ...thread });
  } catch (error) {
    log.warn({ err: error }, 'a person could not be answered privately');
  }
}

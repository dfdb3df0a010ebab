import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { classifySlackError } from './errors.ts';

const Answered = z.object({ messages: z.array(z.looseObject({ ts: z.string() })).default([]) });

/** Slack's names for a message, or a place, that is not there (any more), or not for us. */
const NOT_FOR_US = new Set(['thread_not_found', 'message_not_found', 'not_in_channel', 'channel_not_found']);

/**
 * A message as it is now, at top level or in a thread, as Slack gives it.
 *
 * @returns `null` if it is gone, or in a channel that the bot is not in.
 * @throws the client's error for every other failure: it may work later.
 */
export async function fetchMessage(
  client: WebClient,
  channel: string,
  ts: string,
): Promise<Record<string, unknown> | null> {
  try {
    const only = { channel, oldest: ts, latest: ts, inclusive: true };
    const history = await client.conversations.history({ ...only, limit: 1 });
    // Replies are not in the history; a thread's answer begins with its root.
    return find(history, ts) ?? find(await client.conversations.replies({ ...only, ts, limit: 5 }), ts);
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind === 'refused' && NOT_FOR_US.has(failure.error)) return null;
    throw error;
  }
}

function find(answer: unknown, ts: string): Record<string, unknown> | null {
  return Answered.parse(answer).messages.find((message) => message.ts === ts) ?? null;
}

import { z } from 'zod';
import { isPersonsMessage } from '../../../alerts/message.ts';
import { classifySlackError } from '../../errors.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { MessageEvent } from '../../listening/event-schema.ts';
import { timeOfTs } from '../../timestamp.ts';
import { continueConversation } from './continue-conversation.ts';

/** A mention that arrives within this time of being written is not out of order: nobody replies faster. */
const LATE_MS = 1_000;
const MOST = 100;

const Thread = z.looseObject({ messages: z.array(z.looseObject({ ts: z.string() })).default([]) });

/**
 * When the mention that began a conversation arrives late, asks the replies that overtook it: they were ignored,
 * because there was no conversation yet. Reads them from the thread; those already asked are not asked twice.
 *
 * @throws the client's error if Slack could not be reached; retrying may help
 */
export async function takeEarlyReplies(mention: MessageEvent, deps: ListenerDeps): Promise<void> {
  const { channel, ts, thread_ts } = mention;
  if (deps.clock.now() - timeOfTs(ts) < LATE_MS) return;
  const thread = thread_ts ?? ts;
  const conversation = await deps.store.conversations.byThread(channel, thread);
  if (conversation?.id !== `${channel}:${ts}`) return;
  for (const raw of await writtenSince({ channel, ts: thread, oldest: ts }, deps)) {
    const reply = MessageEvent.safeParse({ ...raw, channel });
    if (raw.ts > ts && reply.success && isPersonsMessage(raw)) await continueConversation(reply.data, deps);
  }
}

async function writtenSince(
  thread: { channel: string; ts: string; oldest: string },
  { client, log }: ListenerDeps,
): Promise<z.infer<typeof Thread>['messages']> {
  try {
    return Thread.parse(await client.conversations.replies({ ...thread, limit: MOST })).messages;
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind !== 'refused') throw error;
    log.warn(
      { channel: thread.channel, reason: failure.error },
      'could not read the replies that arrived before their mention',
    );
    return [];
  }
}

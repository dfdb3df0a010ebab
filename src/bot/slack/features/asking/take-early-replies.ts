import { z } from 'zod';
import { isPersonsMessage } from '../../../alerts/sender.ts';
import { classifySlackError } from '../../errors.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { MessageEvent } from '../../listening/event-schema.ts';
import { timeOfTs } from '../../timestamp.ts';
import { continueConversation } from './continue-conversation.ts';

/** Nobody writes a reply sooner: a mention that comes sooner did not come out of order. */
const LATE_MS = 1_000;
const MOST = 100;

const Thread = z.looseObject({ messages: z.array(z.looseObject({ ts: z.string() })).default([]) });

/**
 * Replies that came before the mention which began their conversation were nobody's then. Where it comes late, its
 * thread is read for what people have written there since; what was asked already is one question.
 *
 * @throws the client's error where Slack could not be asked: it may work later.
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

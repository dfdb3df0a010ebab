import { isPersonsMessage } from '../../../alerts/message.ts';
import { isQuestion, isStop } from '../../../asking/reply.ts';
import { usageMention } from '../../../render/admin/usage.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { MessageEvent } from '../../listening/event-schema.ts';
import { isRefused, postEphemeral } from '../../listening/tell.ts';
import { askInThread } from './ask-in-thread.ts';
import { questionOf } from './message-question.ts';
import { stopInThread, threadOf } from './stop-in-thread.ts';
import { takeEarlyReplies } from './take-early-replies.ts';

/** The bot was mentioned in a channel that it is in. */
export const appMention: Register = (app, deps) => {
  app.event('app_mention', async ({ event }) => {
    await takeMention(event, deps);
    const mention = MessageEvent.safeParse(event);
    if (mention.success) await takeEarlyReplies(mention.data, deps);
  });
};

/**
 * Asks the agent a mention, live or from the history, in its thread or in one that it starts. Slack may also deliver
 * the same mention as a `message`; it is asked once.
 *
 * @param raw the event as Slack sends it
 */
export async function takeMention(raw: unknown, deps: ListenerDeps): Promise<void> {
  const parsed = MessageEvent.safeParse(raw);
  if (!parsed.success || !isPersonsMessage(parsed.data)) return;
  const { channel, thread_ts, ts, user } = parsed.data;
  if (user === undefined || (await isRefused(parsed.data, user, deps))) return;
  const said = questionOf(parsed.data, deps.identity);
  if (said.question === '') {
    return postEphemeral(usageMention(), { channel, user, threadTs: thread_ts ?? null }, deps);
  }
  if (isStop(said.question)) {
    await stopInThread({ channel, threadTs: threadOf(parsed.data), ts }, user, deps);
    return;
  }
  if (isQuestion(said.question)) await askInThread(parsed.data, user, { ...said, calls: true }, deps);
}

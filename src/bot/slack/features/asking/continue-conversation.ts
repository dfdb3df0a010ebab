import { wasCalledOff } from '../../../asking/listening.ts';
import { goesOn, isQuestion, isStop } from '../../../asking/reply.ts';
import type { Conversation } from '../../../store/conversations.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import type { MessageEvent } from '../../listening/event-schema.ts';
import { isRefused } from '../../listening/tell.ts';
import { askInThread } from './ask-in-thread.ts';
import { questionOf } from './message-question.ts';
import { stopInThread, threadOf } from './stop-in-thread.ts';

/**
 * Asks the agent a person's reply in a thread with a conversation, or anything in a direct message (DESIGN section 4,
 * *Asking*). "stop" cancels the answers in progress there.
 */
export async function continueConversation(event: MessageEvent, deps: ListenerDeps): Promise<void> {
  const { channel, user } = event;
  if (user === undefined) return;
  const { botUserId } = deps.identity;
  const said = questionOf(event, deps.identity);
  const isDm = event.channel_type === 'im';
  if (isStop(said.question)) {
    // In a channel, Slack also delivers it as a mention; handling both would stop the next answer as well.
    const comesTwice = !isDm && said.text.includes(`<@${botUserId}`);
    if (!comesTwice) await stopInThread({ channel, threadTs: threadOf(event), ts: event.ts }, user, deps);
    return;
  }
  const conversation = await asItWas(event, deps);
  const listens = isDm && conversation?.listening !== false && isQuestion(said.question);
  if (!listens && !goesOn(conversation, said.text, botUserId)) return;
  if (!isDm && conversation !== null && wasBefore(event, conversation)) return;
  if (await isRefused(event, user, deps)) return;
  await askInThread(event, user, { ...said, calls: said.text.includes(`<@${botUserId}`) }, deps);
}

/**
 * Whether a reply was written before the mention that began the conversation; replies can arrive out of order. Such a
 * reply was meant for people, not for the agent.
 */
function wasBefore({ channel, ts }: MessageEvent, { id }: Conversation): boolean {
  return id.startsWith(`${channel}:`) && Number(ts) < Number(id.slice(channel.length + 1));
}

/** The thread's conversation as it was when the reply was written, before anybody pressed *Stop listening*. */
async function asItWas(
  { channel, ts, thread_ts }: MessageEvent,
  { store, clock }: ListenerDeps,
): Promise<Conversation | null> {
  const conversation = await store.conversations.byThread(channel, thread_ts ?? ts);
  if (conversation?.listening !== false) return conversation;
  const isOlder = await wasCalledOff(store, conversation.id, { ts, asker: '' }, clock.now());
  return isOlder ? { ...conversation, listening: true } : conversation;
}

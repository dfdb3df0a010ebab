import { ask } from '../../../asking/ask.ts';
import { goesOn, isQuestion, questionIn } from '../../../asking/reply.ts';
import type { ListenerDeps } from '../deps.ts';
import type { MessageEvent } from './schema.ts';

/** A person's reply in a thread that has a conversation, or anything in a DM, is a question to the agent. */
export async function continueConversation(event: MessageEvent, deps: ListenerDeps): Promise<void> {
  const { channel, ts, user, text = '' } = event;
  if (user === undefined) return;
  const threadTs = event.thread_ts ?? ts;
  const question = questionIn(text, deps.identity.botUserId);
  const conversation = await deps.store.conversations.byThread(channel, threadTs);
  const isDm = event.channel_type === 'im';
  const wanted = goesOn(conversation, text, deps.identity.botUserId) || (isDm && isQuestion(question));
  if (!wanted || (await deps.people.refusal(user))) return;
  await ask(
    { id: `${channel}:${ts}`, channel, threadTs, asker: user, text: question },
    { ...deps, ...deps.asking },
  );
  deps.rings.asked();
  deps.rings.outbox();
}

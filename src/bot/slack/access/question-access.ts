import type { Conversation } from '../../store/conversations.ts';
import { answerKey } from '../../store/intents/keys.ts';
import type { Question } from '../../store/questions.ts';
import type { ListenerDeps } from '../listening/deps.ts';

/** A question with the conversation that it belongs to. */
export interface OurQuestion {
  question: Question;
  conversation: Conversation;
}

/**
 * A question where its answer stands: in its own channel, or in the asker's direct messages instead, where the bot is no
 * member. `null` elsewhere: what a button says is not trusted.
 */
export async function ourQuestion(
  id: string,
  channel: string,
  { store }: Pick<ListenerDeps, 'store'>,
): Promise<OurQuestion | null> {
  const question = await store.questions.get(id);
  const conversation = question && (await store.conversations.get(question.conversation));
  if (!question || !conversation) return null;
  if (channel === conversation.channel) return { question, conversation };
  const answer = await store.outbox.get(answerKey(id));
  return channel === answer?.channel ? { question, conversation } : null;
}

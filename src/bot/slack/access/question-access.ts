import type { Conversation } from '../../store/conversations.ts';
import { answerKey } from '../../store/intents/keys.ts';
import type { Question } from '../../store/questions.ts';
import type { ListenerDeps } from '../listening/deps.ts';

/** A question with its conversation. */
export interface OurQuestion {
  question: Question;
  conversation: Conversation;
}

/**
 * A question at the place of its answer: its own channel, or the asker's direct messages if the bot is not a member
 * there. `null` anywhere else: button values are not trusted.
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

import { stopAnswer } from '../../../asking/stop.ts';
import type { Question } from '../../../store/questions.ts';
import { timeOfTs } from '../../timestamp.ts';
import type { ListenerDeps } from '../deps.ts';
import { isRefused } from './is-refused.ts';
import type { MessageEvent } from './schema.ts';

/**
 * A bare "stop" ends what is being answered in its thread; where nothing is, nothing happens. At the top of a direct
 * message, where there is no thread yet, it ends what is being answered to that person. One that comes a second time,
 * or late, does not stop what was asked after it.
 */
export async function stopInThread(event: MessageEvent, who: string, deps: ListenerDeps): Promise<void> {
  const written = timeOfTs(event.ts);
  const questions = (await underWay(event, deps)).filter((question) => question.written_at <= written);
  if (questions.length === 0 || (await isRefused(event, who, deps))) return;
  for (const { id } of questions) await stopAnswer(id, who, deps);
  deps.rings.asked();
  deps.rings.outbox();
}

async function underWay(
  { channel, channel_type, ts, thread_ts }: MessageEvent,
  { store }: ListenerDeps,
): Promise<Question[]> {
  if (channel_type === 'im' && thread_ts === undefined) return store.questions.askingIn(channel);
  const conversation = await store.conversations.byThread(channel, thread_ts ?? ts);
  const question = conversation && (await store.questions.underWay(conversation.id));
  return question ? [question] : [];
}

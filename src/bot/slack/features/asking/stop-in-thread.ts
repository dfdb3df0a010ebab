import { type StopWord, stopByWord, stoppedBy } from '../../../asking/stop.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import type { MessageEvent } from '../../listening/event-schema.ts';
import { isRefused } from '../../listening/tell.ts';

/**
 * A bare "stop" ends what is being answered in its thread; where nothing is, nothing happens, unless the question before
 * it comes only after it. At the top of a direct message, where there is no thread yet, it ends what is being answered
 * to that person. It never stops what was asked after it, however late it comes.
 */
export async function stopInThread(event: MessageEvent, who: string, deps: ListenerDeps): Promise<void> {
  const { channel, channel_type, ts, thread_ts } = event;
  const threadTs = channel_type === 'im' && thread_ts === undefined ? null : (thread_ts ?? ts);
  const word: StopWord = { channel, threadTs, ts, who };
  const stopsSomething = (await stoppedBy(word, deps.store)).length > 0;
  // Where there is nothing to stop, nobody is told that they may not.
  const mayNot = stopsSomething ? isRefused(event, who, deps) : deps.people.refusal(who);
  if ((await mayNot) || !(await stopByWord(word, deps))) return;
}

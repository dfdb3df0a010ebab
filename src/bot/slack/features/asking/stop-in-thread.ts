import { type StopWord, stopByWord, stoppedBy } from '../../../asking/stop.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import type { MessageEvent } from '../../listening/event-schema.ts';
import { isRefused } from '../../listening/tell.ts';

/** The thread of a message that says "stop"; at the top of a direct message, where there is none yet, `null`. */
export function threadOf({ channel_type, ts, thread_ts }: MessageEvent): string | null {
  return channel_type === 'im' && thread_ts === undefined ? null : (thread_ts ?? ts);
}

/**
 * A bare "stop" ends what is being answered in its thread; where nothing is, nothing happens, unless the question before
 * it comes only after it. At the top of a direct message, where there is no thread yet, it ends what is being answered
 * to that person. It never stops what was asked after it, however late it comes.
 *
 * @returns whether it ended something
 */
export async function stopInThread(
  where: Omit<StopWord, 'who'>,
  who: string,
  deps: ListenerDeps,
): Promise<boolean> {
  const word: StopWord = { ...where, who };
  const { channel, threadTs, ts } = where;
  const event = { channel, ts, ...(threadTs === null || threadTs === ts ? {} : { thread_ts: threadTs }) };
  const stopsSomething = (await stoppedBy(word, deps.store)).length > 0;
  // Where there is nothing to stop, nobody is told that they may not.
  const mayNot = stopsSomething ? isRefused(event, who, deps) : deps.people.refusal(who);
  return !(await mayNot) && (await stopByWord(word, deps));
}

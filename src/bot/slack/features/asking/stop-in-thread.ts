import { type StopWord, stopByWord, stoppedBy } from '../../../asking/stop.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import type { MessageEvent } from '../../listening/event-schema.ts';
import { isRefused } from '../../listening/tell.ts';

/** The thread of a message that says "stop"; `null` at the top of a direct message, if there is no thread yet. */
export function threadOf({ channel_type, ts, thread_ts }: MessageEvent): string | null {
  return channel_type === 'im' && thread_ts === undefined ? null : (thread_ts ?? ts);
}

/**
 * A bare "stop" cancels the answers in progress in its thread. If there is none, nothing happens, unless the question
 * arrives later than the "stop" that followed it. At the top of a direct message, if there is no thread yet, it
 * cancels whatever is being answered to that person. However late it arrives, it never stops a question asked after it.
 *
 * @returns whether it stopped anything
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
  // Nobody is told that they may not stop an answer when there is none.
  const mayNot = stopsSomething ? isRefused(event, who, deps) : deps.people.refusal(who);
  return !(await mayNot) && (await stopByWord(word, deps));
}

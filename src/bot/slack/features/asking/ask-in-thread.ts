import { ask } from '../../../asking/ask.ts';
import { lookingAt } from '../../listening/app-context.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import type { MessageEvent } from '../../listening/event-schema.ts';
import { timeOfTs } from '../../timestamp.ts';
import type { MessageQuestion } from './message-question.ts';

/** Asks a question in the thread of its message, or in one that it starts. The same message is asked once. */
export async function askInThread(
  { channel, ts, thread_ts, app_context }: MessageEvent,
  asker: string,
  { question, files, calls = false }: MessageQuestion & { calls?: boolean },
  deps: ListenerDeps,
): Promise<void> {
  const threadTs = thread_ts ?? ts;
  await ask(
    {
      id: `${channel}:${ts}`,
      channel,
      threadTs,
      asker,
      text: question,
      writtenAt: timeOfTs(ts),
      ts,
      calls,
      files,
      lookingAt: lookingAt(app_context),
    },
    { ...deps, ...deps.asking },
  );
}

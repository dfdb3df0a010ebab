import { threadTitle } from '../../../render/asking/prompts.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { bestEffort } from './pane-call.ts';

/**
 * Calls a thread of the pane by its first question, as the pane's history lists it. An agent's session begins with its
 * title; only an app that has none is named in the old way.
 */
export async function nameThread(
  { channel, threadTs, question }: { channel: string; threadTs: string; question: string },
  deps: Pick<ListenerDeps, 'client' | 'metrics' | 'log' | 'sessions'>,
): Promise<void> {
  if ((await deps.sessions.show({ channel, threadTs }, 'processing')) !== 'refused') return;
  const title = { channel_id: channel, thread_ts: threadTs, title: threadTitle(question) };
  await bestEffort('assistant.threads.setTitle', () => deps.client.assistant.threads.setTitle(title), deps);
}

import { threadTitle } from '../../../render/asking/prompts.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { bestEffort } from './pane-call.ts';

/**
 * Titles a thread of the pane with its first question, for the pane's history. An agent's session already has a title,
 * so only apps without the agent view need the call.
 */
export async function nameThread(
  { channel, threadTs, question }: { channel: string; threadTs: string; question: string },
  deps: Pick<ListenerDeps, 'client' | 'metrics' | 'log' | 'sessions'>,
): Promise<void> {
  if ((await deps.sessions.show({ channel, threadTs }, 'processing')) !== 'refused') return;
  const title = { channel_id: channel, thread_ts: threadTs, title: threadTitle(question) };
  await bestEffort('assistant.threads.setTitle', () => deps.client.assistant.threads.setTitle(title), deps);
}

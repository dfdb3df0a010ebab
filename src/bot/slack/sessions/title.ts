import { threadTitle } from '../../render/asking/prompts.ts';
import type { Store } from '../../store/open.ts';
import type { SessionThread } from '../../store/sessions.ts';

/**
 * What a session is called: its thread's first question, or else the issue that lives there. `null` if there is
 * neither.
 */
export async function sessionTitle(
  { channel, threadTs }: SessionThread,
  { conversations, questions, issues }: Pick<Store, 'conversations' | 'questions' | 'issues'>,
): Promise<string | null> {
  const conversation = await conversations.byThread(channel, threadTs);
  const first = conversation === null ? null : await questions.first(conversation.id);
  if (first !== null) return threadTitle(first.text);
  const issue = await issues.byThread(channel, threadTs);
  return issue === null ? null : threadTitle(issue.title);
}

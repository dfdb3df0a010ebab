import { suggestedPrompts } from '../../../../render/asking/prompts.ts';
import type { ListenerDeps } from '../../../listening/deps.ts';
import { bestEffort } from './best-effort.ts';
import { openIssues } from './open-issues.ts';
import type { PaneThread } from './thread.ts';

/**
 * Shows questions to begin with in a thread of the pane, made from the open issues that its person may see; none to who
 * may not ask, and none once something was asked there.
 */
export async function suggestPrompts(
  { user, channel, threadTs, lookingAt }: PaneThread,
  deps: ListenerDeps,
): Promise<void> {
  const { store, people, client } = deps;
  if ((await people.refusal(user)) !== null) return;
  if ((await store.conversations.byThread(channel, threadTs)) !== null) return;
  const { title, prompts } = suggestedPrompts(await openIssues({ user, lookingAt }, deps));
  const [first, ...others] = prompts;
  if (first === undefined) return;
  const thread = { channel_id: channel, thread_ts: threadTs };
  await bestEffort(
    'assistant.threads.setSuggestedPrompts',
    () => client.assistant.threads.setSuggestedPrompts({ ...thread, title, prompts: [first, ...others] }),
    deps,
  );
}

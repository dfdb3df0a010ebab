import { z } from 'zod';
import { suggestedPrompts } from '../../../render/asking/prompts.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { openIssues } from './open-issues.ts';
import { bestEffort } from './pane-call.ts';

/**
 * Somebody opened a new thread in the assistant pane. What they write there comes as a message of their direct messages:
 * Bolt's own `Assistant` would keep it from the listener that all messages have.
 */
export const threadStarted = onPaneEvent('assistant_thread_started');

/** Somebody looks at another channel while the pane is open: its issues come first now. */
export const contextChanged = onPaneEvent('assistant_thread_context_changed');

function onPaneEvent(type: 'assistant_thread_started' | 'assistant_thread_context_changed'): Register {
  return (app, deps) => {
    app.event(type, async ({ event }) => {
      const thread = paneThread(event);
      if (thread !== null) await suggestPrompts(thread, deps);
    });
  };
}

/**
 * Shows questions to begin with in a thread of the pane, made from the open issues that its person may see; none to who
 * may not ask, and none once something was asked there.
 */
async function suggestPrompts(
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

/** A person's thread in the assistant pane. */
export interface PaneThread {
  user: string;
  /** Their direct message with the app. */
  channel: string;
  threadTs: string;
  /** The channel that they have open beside it; `null` where Slack tells of none. */
  lookingAt: string | null;
}

const Event = z.looseObject({
  assistant_thread: z.looseObject({
    user_id: z.string(),
    channel_id: z.string(),
    thread_ts: z.string(),
    context: z
      .looseObject({ channel_id: z.string().nullish().catch(null) })
      .nullish()
      .catch(null),
  }),
});

/** The thread that an event of the pane is about; `null` for what is no such event. */
function paneThread(event: unknown): PaneThread | null {
  const { success, data } = Event.safeParse(event);
  if (!success) return null;
  const { user_id, channel_id, thread_ts, context } = data.assistant_thread;
  return {
    user: user_id,
    channel: channel_id,
    threadTs: thread_ts,
    lookingAt: context?.channel_id ?? null,
  };
}

import { z } from 'zod';
import { suggestedPrompts } from '../../../render/asking/prompts.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { openIssues } from './open-issues.ts';
import { bestEffort } from './pane-call.ts';

/**
 * Somebody opened a new thread in the assistant pane. What they write there arrives as a direct message; Bolt's own
 * `Assistant` would hide it from the listener for messages.
 */
export const threadStarted = onPaneEvent('assistant_thread_started');

/** Somebody switched channels while the pane is open: the issues of that channel come first now. */
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
 * Suggests questions in a thread of the pane, about the open issues that the user may see; none to people who may not
 * ask, and none once a question was asked there.
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
  /** The channel open beside the pane; `null` if Slack does not say. */
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

/** The pane thread of an event, or `null` if it is no event of the pane. */
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

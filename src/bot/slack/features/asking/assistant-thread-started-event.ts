import type { Register } from '../../listening/deps.ts';
import { suggestPrompts } from './assistant/suggest.ts';
import { paneThread } from './assistant/thread.ts';

/**
 * Somebody opened a new thread in the assistant pane. What they write there comes as a message of their direct messages:
 * Bolt's own `Assistant` would keep it from the listener that all messages have.
 */
export const threadStarted: Register = (app, deps) => {
  app.event('assistant_thread_started', async ({ event }) => {
    const thread = paneThread(event);
    if (thread !== null) await suggestPrompts(thread, deps);
  });
};

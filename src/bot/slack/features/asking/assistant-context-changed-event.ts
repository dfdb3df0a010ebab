import type { Register } from '../../listening/deps.ts';
import { suggestPrompts } from './assistant/suggest.ts';
import { paneThread } from './assistant/thread.ts';

/** Somebody looks at another channel while the pane is open: its issues come first now. */
export const contextChanged: Register = (app, deps) => {
  app.event('assistant_thread_context_changed', async ({ event }) => {
    const thread = paneThread(event);
    if (thread !== null) await suggestPrompts(thread, deps);
  });
};

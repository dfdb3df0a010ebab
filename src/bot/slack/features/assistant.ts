import type { Register } from '../listening/deps.ts';
import { contextChanged } from './asking/assistant-context-changed-event.ts';
import { threadStarted } from './asking/assistant-thread-started-event.ts';

/** One line an event type of the assistant pane. */
export const assistant: Record<string, Register> = {
  assistant_thread_context_changed: contextChanged,
  assistant_thread_started: threadStarted,
};

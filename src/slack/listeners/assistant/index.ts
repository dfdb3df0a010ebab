import type { Register } from '../deps.ts';
import { contextChanged } from './context-changed.ts';
import { threadStarted } from './thread-started.ts';

/** One line an event type of the assistant pane. */
export const assistant: Record<string, Register> = {
  assistant_thread_context_changed: contextChanged,
  assistant_thread_started: threadStarted,
};

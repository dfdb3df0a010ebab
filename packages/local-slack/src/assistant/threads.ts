import type { Channel, Message } from '../entities.ts';
import { LIMITS } from '../limits.ts';
import type { PageAssistantThread } from '../page-api.ts';
import type { AssistantThread } from '../store/assistant.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

/** A thread as the page shows it. */
export function assistantOnPage({ pane, status_until: _, ...thread }: AssistantThread): PageAssistantThread {
  return { ...thread, is_pane: pane };
}

/** Keeps what is known of a thread now, and shows it. */
export function keepThread(context: WorkspaceContext, thread: AssistantThread): void {
  context.store.assistant.put(thread);
  context.page.emit({ type: 'assistant', thread: assistantOnPage(thread) });
}

/** A thread of which nothing is known yet; not one of the pane. */
export function plainThread({ id, im_user }: Channel, thread_ts: string): AssistantThread {
  return {
    channel: id,
    thread_ts,
    user: im_user ?? '',
    pane: false,
    title: null,
    status: null,
    status_until: 0,
    prompts_title: null,
    prompts: [],
  };
}

function outlived(context: WorkspaceContext, channel: string, thread_ts: string): void {
  const thread = context.store.assistant.get(channel, thread_ts);
  if (thread && thread.status !== null && context.clock.now() >= thread.status_until) {
    keepThread(context, { ...thread, status: null });
  }
}

/** Sets the app's status; an empty one clears it, and it ends by itself. */
export function showStatus(context: WorkspaceContext, thread: AssistantThread, status: string): void {
  if (status === '') {
    if (thread.status !== null) keepThread(context, { ...thread, status: null });
    return;
  }
  const status_until = context.clock.now() + LIMITS.statusLife;
  keepThread(context, { ...thread, status, status_until });
  context.jobs.later(LIMITS.statusLife, () => outlived(context, thread.channel, thread.thread_ts));
}

/** A new message in a thread: the app's own takes its status away, a person's the prompts. */
export function noteMessage(context: WorkspaceContext, { id }: Channel, message: Message): void {
  const thread =
    message.thread_ts === undefined ? undefined : context.store.assistant.get(id, message.thread_ts);
  if (!thread) return;
  if (message.bot_id === context.app.bot_id) {
    if (thread.status !== null) keepThread(context, { ...thread, status: null });
  } else if (thread.prompts.length > 0) {
    keepThread(context, { ...thread, prompts_title: null, prompts: [] });
  }
}

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
export function keepThread(world: WorkspaceContext, thread: AssistantThread): void {
  world.store.assistant.put(thread);
  world.page.emit({ type: 'assistant', thread: assistantOnPage(thread) });
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

function outlived(world: WorkspaceContext, channel: string, thread_ts: string): void {
  const thread = world.store.assistant.get(channel, thread_ts);
  if (thread && thread.status !== null && world.clock.now() >= thread.status_until) {
    keepThread(world, { ...thread, status: null });
  }
}

/** Shows what the app is doing; an empty one takes it away, and so does time. */
export function showStatus(world: WorkspaceContext, thread: AssistantThread, status: string): void {
  if (status === '') {
    if (thread.status !== null) keepThread(world, { ...thread, status: null });
    return;
  }
  const status_until = world.clock.now() + LIMITS.statusLife;
  keepThread(world, { ...thread, status, status_until });
  world.jobs.later(LIMITS.statusLife, () => outlived(world, thread.channel, thread.thread_ts));
}

/** A new message in a thread: the app's own takes its status away, a person's the prompts. */
export function noteMessage(world: WorkspaceContext, { id }: Channel, message: Message): void {
  const thread =
    message.thread_ts === undefined ? undefined : world.store.assistant.get(id, message.thread_ts);
  if (!thread) return;
  if (message.bot_id === world.app.bot_id) {
    if (thread.status !== null) keepThread(world, { ...thread, status: null });
  } else if (thread.prompts.length > 0) {
    keepThread(world, { ...thread, prompts_title: null, prompts: [] });
  }
}

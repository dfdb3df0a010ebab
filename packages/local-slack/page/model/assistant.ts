import type { PageAssistantThread, PageEvent, PageMessage } from '../../src/page-api.ts';

/** The root of a thread in the pane; Slack does not show it. */
export const PANE_ROOT = 'assistant_app_thread';

/** The app's pane. If it is open without a `chat` and shows no history, a new chat is starting. */
export interface Pane {
  isOpen: boolean;
  /** It lists the earlier conversations. */
  isHistory: boolean;
  /** The conversation in it, remembered while the pane is closed. */
  chat: { channel: string; thread: string } | null;
}

export const closedPane: Pane = { isOpen: false, isHistory: false, chat: null };

/** The key of the events that arrive while a person's conversations are being fetched. */
export function assistantKey(user: string): string {
  return `assistant/${user}`;
}

/** The conversations with the app after a live event. */
export function withAssistantEvent(
  threads: readonly PageAssistantThread[],
  event: PageEvent,
): readonly PageAssistantThread[] {
  if (event.type !== 'assistant') return threads;
  const { thread } = event;
  const others = threads.filter(
    (other) => other.channel !== thread.channel || other.thread_ts !== thread.thread_ts,
  );
  return [...others, thread];
}

/** Replaces a person's conversations with freshly fetched ones, and applies the events that arrived meanwhile. */
export function withLoadedAssistants(
  threads: readonly PageAssistantThread[],
  user: string,
  loaded: readonly PageAssistantThread[],
  since: readonly PageEvent[],
): readonly PageAssistantThread[] {
  const others = threads.filter((thread) => thread.user !== user);
  const ofUser = since.filter((event) => event.type === 'assistant' && event.thread.user === user);
  return [...others, ...ofUser.reduce(withAssistantEvent, loaded)];
}

/** The state of one thread; `undefined` if the app has not set any. */
export function assistantAt(
  threads: readonly PageAssistantThread[],
  channel: string,
  thread: string | null,
): PageAssistantThread | undefined {
  return threads.find((one) => one.channel === channel && one.thread_ts === thread);
}

/** The app's status in a thread whose root is listed. Threads of the pane show theirs elsewhere. */
export function statusAmong(
  threads: readonly PageAssistantThread[],
  channel: string,
  roots: readonly PageMessage[],
): string | null {
  const shown = new Set(roots.filter(({ subtype }) => subtype !== PANE_ROOT).map(({ ts }) => ts));
  const busy = threads.filter((one) => one.channel === channel && shown.has(one.thread_ts));
  return busy.findLast(({ status }) => status !== null)?.status ?? null;
}

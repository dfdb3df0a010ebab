import type {
  PageEvent,
  PageHome,
  PageMessage,
  PageMessagesTab,
  PageSession,
  PageState,
  PageView,
} from '../../src/page-api.ts';

/** The loaded messages of each place, by `listKey`; each list oldest first. */
export type Lists = Readonly<Record<string, readonly PageMessage[]>>;

/** Names a channel's top level (`thread` is `null`) or one of its threads. */
export function listKey(channel: string, thread: string | null): string {
  return thread === null ? channel : `${channel}/${thread}`;
}

/**
 * Replaces a list with a freshly fetched one. The server may have read it before `since`, the events that
 * arrived during the fetch, so they are applied again.
 */
export function withLoaded(
  lists: Lists,
  key: string,
  loaded: readonly PageMessage[],
  since: readonly PageEvent[],
): Lists {
  const fresh = since.reduce(withEvent, { [key]: sorted([...loaded]) });
  return { ...lists, ...fresh };
}

/** Applies a live event to the loaded lists; the others are fetched when they are opened. */
export function withEvent(lists: Lists, event: PageEvent): Lists {
  if (!('channel' in event)) return lists;
  if (event.type === 'message_deleted') return withoutMessage(lists, event);
  const { channel, message } = event;
  const isReply = message.thread_ts !== undefined && message.thread_ts !== message.ts;
  let next = lists;
  if (!isReply || message.subtype === 'thread_broadcast')
    next = upsert(next, listKey(channel, null), message);
  next = upsert(next, listKey(channel, message.thread_ts ?? message.ts), message);
  if (isReply && event.type === 'message' && message.ephemeral_to === undefined) {
    next = withReplyCounted(next, channel, message);
  }
  return next;
}

function upsert(lists: Lists, key: string, message: PageMessage): Lists {
  const list = lists[key];
  if (!list) return lists;
  const others = list.filter((other) => other.ts !== message.ts);
  return { ...lists, [key]: sorted([...others, message]) };
}

/** The server may also send the root's new count, before or after this: only a reply newer than the last one counts. */
function withReplyCounted(lists: Lists, channel: string, reply: PageMessage): Lists {
  const root = (lists[channel] ?? []).find((message) => message.ts === reply.thread_ts);
  if (!root || reply.ts <= (root.latest_reply ?? '')) return lists;
  const counted = { ...root, reply_count: (root.reply_count ?? 0) + 1, latest_reply: reply.ts };
  return upsert(upsert(lists, channel, counted), listKey(channel, root.ts), counted);
}

function withoutMessage(lists: Lists, gone: { channel: string; ts: string; thread_ts?: string }): Lists {
  const keys = [gone.channel, listKey(gone.channel, gone.thread_ts ?? gone.ts)];
  const changed = keys.flatMap((key) => {
    const list = lists[key];
    return list ? [[key, list.filter((message) => message.ts !== gone.ts)] as const] : [];
  });
  return { ...lists, ...Object.fromEntries(changed) };
}

function sorted(messages: PageMessage[]): PageMessage[] {
  return messages.sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0));
}

/** The key of the events that arrive while a person's modals are being fetched. */
export function viewsKey(user: string): string {
  return `views/${user}`;
}

/** The open modals after a live event. A new modal is on top, so it comes last. */
export function withViewEvent(views: readonly PageView[], event: PageEvent): readonly PageView[] {
  if (event.type === 'view_closed') return views.filter((view) => view.id !== event.id);
  if (event.type !== 'view') return views;
  const isOpen = views.some((view) => view.id === event.view.id);
  if (!isOpen) return [...views, event.view];
  return views.map((view) => (view.id === event.view.id ? event.view : view));
}

/** Replaces a person's modals with freshly fetched ones, and applies the events that arrived meanwhile. */
export function withLoadedViews(
  views: readonly PageView[],
  user: string,
  loaded: readonly PageView[],
  since: readonly PageEvent[],
): readonly PageView[] {
  const others = views.filter((view) => view.user !== user);
  const ofUser = since.filter((event) => event.type !== 'view' || event.view.user === user);
  return [...others, ...ofUser.reduce(withViewEvent, loaded)];
}

/** The key of the events that arrive while a person's Home is being fetched. */
export function homeKey(user: string): string {
  return `home/${user}`;
}

/** The Home as fetched, or as published during the fetch. */
export function freshHome(
  user: string,
  loaded: PageHome | null,
  since: readonly PageEvent[],
): PageHome | null {
  const published = since.flatMap((event) => (event.type === 'home' ? event.home : []));
  return published.findLast((home) => home.user === user) ?? loaded;
}

/** The agent's sessions by `listKey` of their threads. */
export type Sessions = Readonly<Record<string, PageSession>>;

/** The key of the events that arrive while a person's sessions are being fetched. */
export function sessionsKey(user: string): string {
  return `sessions/${user}`;
}

/** The sessions after a live event. */
export function withSessionEvent(sessions: Sessions, event: PageEvent): Sessions {
  if (event.type !== 'session') return sessions;
  const { session } = event;
  return { ...sessions, [listKey(session.channel, session.thread_ts)]: session };
}

/** Replaces the sessions with freshly fetched ones, and applies the events that arrived meanwhile. */
export function withLoadedSessions(
  sessions: Sessions,
  loaded: readonly PageSession[],
  since: readonly PageEvent[],
): Sessions {
  const fresh = Object.fromEntries(
    loaded.map((session) => [listKey(session.channel, session.thread_ts), session]),
  );
  return since.reduce(withSessionEvent, { ...sessions, ...fresh });
}

/** The Messages tab as fetched, or as a later live event describes it. */
export function freshTab(loaded: PageMessagesTab, since: readonly PageEvent[]): PageMessagesTab {
  const told = since.findLast((event) => event.type === 'messages_tab' && event.tab.user === loaded.user);
  return told?.type === 'messages_tab' ? told.tab : loaded;
}

/** The channel the page opens on: `#alerts`, else the first that is not a direct message. */
export function firstChannel(workspace: PageState): string | null {
  const channels = workspace.channels.filter((channel) => !channel.is_im);
  return (channels.find((channel) => channel.name === 'alerts') ?? channels[0])?.id ?? null;
}

/**
 * The newest alert with a thread: a top-level message of another app that was replied to; if
 * there is none, the newest message that was replied to. `null` if nothing was.
 */
export function newestAlertThread(messages: readonly PageMessage[], botUserId: string): string | null {
  const roots = messages.filter((message) => (message.reply_count ?? 0) > 0);
  const alerts = roots.filter((message) => message.bot_id !== undefined && message.user !== botUserId);
  return (alerts.at(-1) ?? roots.at(-1))?.ts ?? null;
}

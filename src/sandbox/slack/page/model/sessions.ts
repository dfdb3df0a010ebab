import type { PageEvent, PageMessagesTab, PageSession } from '../../page-api.ts';
import { listKey } from './lists.ts';

/** The agent's sessions by `listKey` of their threads. */
export type Sessions = Readonly<Record<string, PageSession>>;

/** The key under which the events are kept that arrive while a person's sessions are fetched. */
export function sessionsKey(user: string): string {
  return `sessions/${user}`;
}

/** What is known of the sessions after a live event. */
export function withSessionEvent(sessions: Sessions, event: PageEvent): Sessions {
  if (event.type !== 'session') return sessions;
  const { session } = event;
  return { ...sessions, [listKey(session.channel, session.thread_ts)]: session };
}

/** Puts freshly fetched sessions in place, with the events that arrived while that was under way. */
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

/** A freshly fetched Messages tab, or what a live event has said of it since. */
export function freshTab(loaded: PageMessagesTab, since: readonly PageEvent[]): PageMessagesTab {
  const told = since.findLast((event) => event.type === 'messages_tab' && event.tab.user === loaded.user);
  return told?.type === 'messages_tab' ? told.tab : loaded;
}

import type { PageEvent, PageMessagesTab, PageSession } from '../../src/page-api.ts';
import { listKey } from './lists.ts';

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

import { openIm } from '../conversations.ts';
import type { Message } from '../entities.ts';
import { dispatch, viewedBy } from '../events/announce.ts';
import { subscribed } from '../events/kinds.ts';
import { personOf } from '../interact/payload.ts';
import { LIMITS } from '../limits.ts';
import type { PageMessagesTab, PageSession } from '../page-api.ts';
import type { Session, SessionStatus, TabPrompts } from '../store/people.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

/** A thread, by its root. */
export interface ThreadPlace {
  channel: string;
  thread_ts: string;
}

export function sessionOnPage({ channel, thread_ts, status, title }: Session): PageSession {
  return { channel, thread_ts, status, title };
}

/** Stores a session and shows it. */
export function keepSession(context: WorkspaceContext, session: Session): void {
  context.store.sessions.put(session);
  context.page.emit({ type: 'session', session: sessionOnPage(session) });
}

/** The session of a thread; a new one is `active` and without a title. */
export function sessionOf(context: WorkspaceContext, { channel, thread_ts }: ThreadPlace): Session {
  return (
    context.store.sessions.get(channel, thread_ts) ?? {
      channel,
      thread_ts,
      status: 'active',
      processing_until: 0,
      title: null,
    }
  );
}

function fallBack(context: WorkspaceContext, { channel, thread_ts }: ThreadPlace): void {
  const session = context.store.sessions.get(channel, thread_ts);
  if (session?.status !== 'processing' || context.clock.now() < session.processing_until) return;
  keepSession(context, { ...session, status: 'active' });
}

function fallBackLater(context: WorkspaceContext, { processing_until, ...place }: Session): void {
  const left = Math.ceil(processing_until - context.clock.now());
  context.jobs.later(left, () => fallBack(context, place));
}

/** Sets a session's status, and creates the session if there is none; only a new one takes the title. */
export function setSession(
  context: WorkspaceContext,
  place: ThreadPlace,
  status: SessionStatus,
  title?: string,
): Session {
  const isNew = context.store.sessions.get(place.channel, place.thread_ts) === undefined;
  const session: Session = {
    ...sessionOf(context, place),
    status,
    processing_until: status === 'processing' ? context.clock.now() + LIMITS.processingLife : 0,
    ...(isNew && title !== undefined && { title }),
  };
  keepSession(context, session);
  if (status === 'processing') fallBackLater(context, session);
  return session;
}

/** After a restart: a status of processing ends when its time is over, at once if it already is. */
export function resumeSessions(context: WorkspaceContext): void {
  for (const session of context.store.sessions.all()) {
    if (session.status === 'processing') fallBackLater(context, session);
  }
}

/** A stream has begun: its thread has a session, which is processing. */
export function noteStreamStart(context: WorkspaceContext, place: ThreadPlace): void {
  if (context.manifest.agent) setSession(context, place, 'processing');
}

/** A stream has ended, by the app or because its time is over. */
export function noteStreamEnd(
  context: WorkspaceContext,
  channel: string,
  message: Message,
  status: SessionStatus,
): void {
  const { thread_ts } = message;
  if (context.manifest.agent && thread_ts !== undefined) setSession(context, { channel, thread_ts }, status);
}

/** A person views something else while the Messages tab is open. Only the envelope names the person. */
export function announceContext(context: WorkspaceContext, user: string): void {
  if (!subscribed(context, 'app_context_changed')) return;
  dispatch(context, { type: 'app_context_changed', context: viewedBy(context, user) }, user);
}

/** A person has pressed Slack's stop button; the streams are those that Slack has already stopped. */
export function announceStopped(
  context: WorkspaceContext,
  { channel, thread_ts }: Session,
  user: string,
  streaming_message_ts: string[],
): void {
  if (!subscribed(context, 'agent_session_stopped')) return;
  const event_ts = context.store.messages.nextTs(context.clock.now());
  dispatch(context, {
    type: 'agent_session_stopped',
    channel,
    user,
    thread_ts,
    streaming_message_ts,
    event_ts,
  });
}

/** A person has renamed a session. */
export function announceTitle(
  context: WorkspaceContext,
  { channel, thread_ts, title }: Session,
  user: string,
  previous_title: string | null,
): void {
  if (!subscribed(context, 'agent_session_title_changed')) return;
  dispatch(context, {
    type: 'agent_session_title_changed',
    channel,
    user,
    team_id: context.team.id,
    thread_ts,
    title,
    ...(previous_title !== null && { previous_title }),
    event_ts: context.store.messages.nextTs(context.clock.now()),
  });
}

/** A person's Messages tab: the prompts are those of the manifest until the app sets others. */
export function messagesTab(context: WorkspaceContext, user: string): PageMessagesTab {
  const { id } = personOf(context, user);
  const { store, manifest } = context;
  const set = store.messagesTabs.get(id);
  return {
    user: id,
    channel: openIm(context, id).id,
    prompts_title: set?.prompts_title ?? null,
    prompts: set?.prompts ?? [...(manifest.agent?.prompts ?? [])],
  };
}

/** Puts prompts on top of a person's Messages tab. */
export function setTabPrompts(context: WorkspaceContext, user: string, prompts: TabPrompts): void {
  context.store.messagesTabs.put(prompts, user);
  context.page.emit({ type: 'messages_tab', tab: messagesTab(context, user) });
}

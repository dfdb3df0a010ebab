import { dispatch } from '../events/announce.ts';
import { subscribed } from '../events/kinds.ts';
import type { Session } from '../store/sessions.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { viewedBy } from './app-context.ts';

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

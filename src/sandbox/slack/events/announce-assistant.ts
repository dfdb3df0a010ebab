import type { AssistantThread } from '../store/assistant.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { dispatch } from './announce.ts';
import { subscribed } from './kinds.ts';

/** A thread of the pane that a person has opened, or one whose person looks elsewhere now. */
export function announceAssistant(
  world: WorkspaceContext,
  type: 'assistant_thread_started' | 'assistant_thread_context_changed',
  { user, channel, thread_ts }: AssistantThread,
  lookingAt: string | undefined,
): void {
  const { store, clock, team } = world;
  if (!subscribed(world, type)) return;
  const seen = lookingAt !== undefined && { channel_id: lookingAt, team_id: team.id, enterprise_id: null };
  dispatch(world, {
    type,
    assistant_thread: { user_id: user, context: { ...seen }, channel_id: channel, thread_ts },
    event_ts: store.messages.nextTs(clock.now()),
  });
}

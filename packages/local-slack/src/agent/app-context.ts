import { subscribed } from '../events/kinds.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

/** Whether the app is told what people look at. */
export function seesContext(context: WorkspaceContext): boolean {
  return subscribed(context, 'app_context_changed');
}

/** What a person looks at as Slack tells it, the most relevant first; empty if it is nothing. */
export function viewedBy({ viewing, team }: WorkspaceContext, user: string): object {
  const viewed = viewing.places.get(user);
  if (!viewed) return {};
  const { channel, message_ts } = viewed;
  const message = {
    type: 'slack#/types/message_context',
    value: { message_ts, channel_id: channel },
    team_id: team.id,
  };
  const place = { type: 'slack#/types/channel_id', value: channel, team_id: team.id };
  return { entities: message_ts === undefined ? [place] : [message, place] };
}

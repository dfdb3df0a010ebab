import type { WorkspaceContext } from '../workspace-context.ts';

/**
 * Every event that the workspace can tell an app of, by the name that a manifest subscribes to, with the scopes of
 * which Slack wants one before it sends it.
 */
export const EVENT_SCOPES = {
  agent_session_stopped: ['chat:write'],
  agent_session_title_changed: ['chat:write'],
  app_context_changed: ['assistant:write'],
  app_home_opened: [],
  app_mention: ['app_mentions:read'],
  app_uninstalled: [],
  channel_archive: ['channels:read'],
  channel_deleted: ['channels:read'],
  channel_left: ['channels:read'],
  channel_rename: ['channels:read'],
  channel_unarchive: ['channels:read'],
  file_shared: ['files:read'],
  group_archive: ['groups:read'],
  group_deleted: ['groups:read'],
  group_left: ['groups:read'],
  group_rename: ['groups:read'],
  group_unarchive: ['groups:read'],
  member_joined_channel: ['channels:read', 'groups:read'],
  'message.channels': ['channels:history'],
  'message.groups': ['groups:history'],
  'message.im': ['im:history'],
  reaction_added: ['reactions:read'],
  reaction_removed: ['reactions:read'],
  tokens_revoked: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type EventName = keyof typeof EVENT_SCOPES;

/** Events that only an agent is told of. */
const OF_AGENTS: ReadonlySet<EventName> = new Set([
  'agent_session_stopped',
  'agent_session_title_changed',
  'app_context_changed',
]);

/** Whether the app is told of such events at all: its manifest subscribes to them, and it has a scope for them. */
export function subscribed({ manifest }: WorkspaceContext, name: EventName): boolean {
  if (OF_AGENTS.has(name) && !manifest.agent) return false;
  const scopes: readonly string[] = EVENT_SCOPES[name];
  const allowed = scopes.length === 0 || scopes.some((scope) => manifest.scopes.includes(scope));
  return allowed && manifest.events.includes(name);
}

/**
 * What Slack and Gumshoe call by name. `test/manifest.test.ts` holds this equal to `manifest.yml`, and every method
 * of the Web API that `src` calls to `methodScopes`.
 */

/** As in the manifest; the listeners take them with a prefix too (`/dev-investigate`). */
export const commandNames = ['/investigate', '/issue', '/ask', '/gumshoe'] as const;

/** The `callback_id` of each shortcut: of a message's menu, and, the last, one that is everywhere. */
export const shortcutIds = {
  investigateThis: 'investigate_this',
  whyFiled: 'why_filed',
  newIssue: 'new_issue',
} as const;

/** The events that Slack is asked to send, each with the scopes that Slack demands for it. */
export const eventScopes = {
  agent_session_stopped: ['chat:write'],
  agent_session_title_changed: ['chat:write'],
  app_context_changed: ['assistant:write'],
  app_home_opened: [],
  app_mention: ['app_mentions:read'],
  app_uninstalled: [],
  channel_archive: ['channels:read'],
  channel_deleted: ['channels:read'],
  channel_left: ['channels:read'],
  channel_unarchive: ['channels:read'],
  group_archive: ['groups:read'],
  group_deleted: ['groups:read'],
  group_left: ['groups:read'],
  group_unarchive: ['groups:read'],
  member_joined_channel: ['channels:read', 'groups:read'],
  'message.channels': ['channels:history'],
  'message.groups': ['groups:history'],
  'message.im': ['im:history'],
  reaction_added: ['reactions:read'],
  tokens_revoked: [],
} as const;

/** What an event is called where it is listened to: a message of any kind of conversation is a `message`. */
export type EventType = keyof typeof eventScopes extends infer Name
  ? Name extends `message.${string}`
    ? 'message'
    : Name
  : never;

/**
 * The methods that the bot's token calls, each with the scopes that Slack demands for it in the kinds of
 * conversation where Gumshoe calls it.
 */
export const methodScopes = {
  'agents.sessions.rename': ['chat:write'],
  'agents.sessions.setStatus': ['chat:write'],
  'assistant.threads.setSuggestedPrompts': ['assistant:write'],
  'auth.test': [],
  'blocks.validate': [],
  'chat.appendStream': ['chat:write'],
  'chat.delete': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.startStream': ['chat:write'],
  'chat.stopStream': ['chat:write'],
  'chat.update': ['chat:write'],
  'conversations.history': ['channels:history', 'groups:history', 'im:history'],
  'conversations.info': ['channels:read', 'groups:read'],
  'conversations.members': ['channels:read', 'groups:read'],
  'conversations.open': ['im:write'],
  'conversations.replies': ['channels:history', 'groups:history', 'im:history'],
  'files.completeUploadExternal': ['files:write'],
  'files.getUploadURLExternal': ['files:write'],
  'files.info': ['files:read'],
  'reactions.add': ['reactions:write'],
  'reactions.remove': ['reactions:write'],
  'users.conversations': ['channels:read', 'groups:read'],
  'users.info': ['users:read'],
  'users.list': ['users:read'],
  'views.open': [],
  'views.publish': [],
  'views.push': [],
  'views.update': [],
} as const satisfies Record<string, readonly string[]>;

/** 🔍 and 🔎: whoever reacts with one has the message filed. */
export const filingReactions: ReadonlySet<string> = new Set(['mag', 'mag_right']);

export function botScopes(): string[] {
  const needed = [...Object.values(eventScopes), ...Object.values(methodScopes)].flat();
  return [...new Set<string>([...needed, 'commands'])].sort();
}

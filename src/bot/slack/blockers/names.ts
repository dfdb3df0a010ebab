/** What a blocker is about, by its name in the store: `channel:<id>`, `scope:<scope>`. */
export const channelBlocker = (channel: string) => `channel:${channel}`;
export const scopeBlocker = (scope: string) => `scope:${scope}`;

/** The channel that a blocker is about; `null` where it is about something else. */
export function channelOf(name: string): string | null {
  return name.startsWith('channel:') ? name.slice('channel:'.length) : null;
}

/** The scope that Slack does not grant; `null` where a blocker is about something else. */
export function scopeOf(name: string): string | null {
  return name.startsWith('scope:') ? name.slice('scope:'.length) : null;
}

/** Slack's names for a channel where nothing can be said, whatever it is. */
const OF_A_CHANNEL = new Set([
  'is_archived',
  // What an edit in an archived channel is told.
  'is_inactive',
  'not_in_channel',
  'channel_not_found',
  'posting_to_channel_denied',
  'ekm_access_denied',
]);
/** Only one thread is closed: the channel is not. */
const OF_A_THREAD = 'restricted_action_thread_locked';

/**
 * Whether what Slack refuses holds for the whole channel until somebody mends it. A direct message is no such place:
 * who closed it wants nothing from us.
 */
export function isOfTheChannel(channel: string, error: string): boolean {
  if (channel.startsWith('D') || error === OF_A_THREAD) return false;
  return OF_A_CHANNEL.has(error) || error.startsWith('restricted_action');
}

/** Reasons that `conversations.info` does not show: only a post tells whether they still hold. */
export function isRestriction(reason: string): boolean {
  return !['is_archived', 'is_inactive', 'not_in_channel', 'channel_not_found'].includes(reason);
}

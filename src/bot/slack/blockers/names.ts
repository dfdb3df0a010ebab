/** Names of blockers in the store: `channel:<id>`, `scope:<scope>`, `consent:<channel id>`. */
export const channelBlocker = (channel: string) => `channel:${channel}`;
export const scopeBlocker = (scope: string) => `scope:${scope}`;

export const consentBlocker = (channel: string) => `consent:${channel}`;

/** The private channel whose members have to agree; `null` if a blocker is about something else. */
export function consentOf(name: string): string | null {
  return name.startsWith('consent:') ? name.slice('consent:'.length) : null;
}

/** The channel that a blocker is about; `null` if it is about something else. */
export function channelOf(name: string): string | null {
  return name.startsWith('channel:') ? name.slice('channel:'.length) : null;
}

/** The scope that a blocker is about; `null` if it is about something else. */
export function scopeOf(name: string): string | null {
  return name.startsWith('scope:') ? name.slice('scope:'.length) : null;
}

/** Slack's error codes for a channel in which nothing can be posted. */
const OF_A_CHANNEL = new Set([
  'is_archived',
  // The error for an edit in an archived channel.
  'is_inactive',
  'not_in_channel',
  'channel_not_found',
  'posting_to_channel_denied',
  'ekm_access_denied',
]);
/** Only one thread is locked; the channel is not. */
const OF_A_THREAD = 'restricted_action_thread_locked';

/**
 * Whether a refusal holds for the whole channel until somebody fixes it. Not for a direct message: whoever closed it
 * wants nothing from us.
 */
export function isOfTheChannel(channel: string, error: string): boolean {
  if (channel.startsWith('D') || error === OF_A_THREAD) return false;
  return OF_A_CHANNEL.has(error) || error.startsWith('restricted_action');
}

/** Reasons that `conversations.info` does not show: only a post tells whether they still hold. */
export function isRestriction(reason: string): boolean {
  return !['is_archived', 'is_inactive', 'not_in_channel', 'channel_not_found'].includes(reason);
}

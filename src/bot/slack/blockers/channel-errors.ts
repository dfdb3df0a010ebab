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

import type { Blocker } from '../../store/blockers.ts';

/** Names of blockers in the store: `channel:<id>`, `scope:<scope>`, `consent:<channel id>`. */
export const channelBlocker = (channel: string) => `channel:${channel}`;
export const consentBlocker = (channel: string) => `consent:${channel}`;
export const scopeBlocker = (scope: string) => `scope:${scope}`;

/** The channel that a blocker is about; `null` if it is about something else. */
export function channelOf(name: string): string | null {
  return name.startsWith('channel:') ? name.slice('channel:'.length) : null;
}

/** The private channel whose members have to agree; `null` if a blocker is about something else. */
export function consentOf(name: string): string | null {
  return name.startsWith('consent:') ? name.slice('consent:'.length) : null;
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

/** A channel in which nothing can be posted, with Slack's reason; or a private one that nobody has agreed to watch. */
export interface BrokenChannel {
  channel: string;
  reason: string;
}

/** The reason of a `consent:` blocker. */
export const NO_CONSENT = 'no_consent';

export function brokenChannels(open: readonly Blocker[]): BrokenChannel[] {
  return open.flatMap(({ name, reason }) => {
    const channel = channelOf(name) ?? consentOf(name);
    return channel === null ? [] : [{ channel, reason }];
  });
}

/** A sentence per blocker, for readers who may know about every channel; no markup. */
export function blockerSentences(open: readonly Blocker[]): string[] {
  return [...channelSentences(brokenChannels(open)), ...scopeSentences(open)];
}

/** What anybody may know, without markup: `/readyz`, `/gumshoe status`, Home. */
export function scopeSentences(open: readonly Blocker[]): string[] {
  return open.flatMap(({ name }) => {
    const scope = scopeOf(name);
    return scope === null ? [] : [`the app lacks the Slack scope ${scope}; whatever needs it waits`];
  });
}

/** For readers who may see these channels. */
export function channelSentences(broken: readonly BrokenChannel[]): string[] {
  return broken.map(({ channel, reason }) =>
    reason === NO_CONSENT
      ? `private channel ${channel} is not watched until a member agrees, with /gumshoe watch, that its issues may be named in answers elsewhere`
      : `cannot post in channel ${channel} (${reason}); messages are queued`,
  );
}

/** For readers who may not know about the channels: only how many there are. */
export function channelCountSentences(broken: readonly BrokenChannel[]): string[] {
  const unwatched = broken.filter(({ reason }) => reason === NO_CONSENT).length;
  const silent = broken.length - unwatched;
  return [
    ...(silent > 0 ? [`cannot post in ${counted(silent)}; messages are queued`] : []),
    ...(unwatched > 0
      ? [`not watching ${counted(unwatched, 'private ')}: a member has to agree first, with /gumshoe watch`]
      : []),
  ];
}

function counted(channels: number, kind = ''): string {
  return channels === 1 ? `1 ${kind}channel` : `${channels} ${kind}channels`;
}

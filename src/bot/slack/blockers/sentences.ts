import type { Blocker } from '../../store/blockers.ts';
import { channelOf, consentOf, scopeOf } from './names.ts';

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

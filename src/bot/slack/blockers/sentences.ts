import type { Blocker } from '../../store/blockers.ts';
import { channelOf, scopeOf } from './names.ts';

/** A channel in which nothing can be posted, with Slack's reason. */
export interface BrokenChannel {
  channel: string;
  reason: string;
}

export function brokenChannels(open: readonly Blocker[]): BrokenChannel[] {
  return open.flatMap(({ name, reason }) => {
    const channel = channelOf(name);
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
  return broken.map(
    ({ channel, reason }) => `cannot post in channel ${channel} (${reason}); messages are queued`,
  );
}

/** For readers who may not know about the channels: only how many there are. */
export function channelCountSentences(broken: readonly BrokenChannel[]): string[] {
  const { length } = broken;
  if (length === 0) return [];
  return [`cannot post in ${length === 1 ? '1 channel' : `${length} channels`}; messages are queued`];
}

import type { Clock } from './clock.ts';
import { SlackError } from './errors.ts';
import { LIMITS } from './limits.ts';

export type Tier = keyof typeof LIMITS.tiers;

/** Slack's pacing: token buckets per method and, for posts, per channel. */
export interface Rates {
  /** @throws SlackError `ratelimited` if the method's calls of this minute are used up. */
  call(method: string, tier: Tier): void;
  /** @throws SlackError `ratelimited` if posts to the channel come faster than one a second. */
  post(channel: string): void;
}

interface Bucket {
  tokens: number;
  at: number;
}

export function createRates(clock: Clock): Rates {
  const buckets = new Map<string, Bucket>();
  const take = (key: string, capacity: number, perSecond: number) => {
    const now = clock.now();
    const bucket = buckets.get(key) ?? { tokens: capacity, at: now };
    const tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    const allowed = tokens >= 1;
    buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at: now });
    if (!allowed) throw new SlackError('ratelimited', {}, Math.ceil((1 - tokens) / perSecond));
  };
  return {
    call: (method, tier) => take(`method ${method}`, LIMITS.tiers[tier], LIMITS.tiers[tier] / 60),
    post: (channel) => take(`channel ${channel}`, LIMITS.postBurst, 1),
  };
}

import type { Clock } from '../../../lib/clock.ts';

/** `apps.connections.open` is rate-limited at tier 1: about one call a minute, with a burst of a few after a failure. */
const MINUTE_MS = 60_000;
const AT_ONCE = 5;

/** Rate limiter for opening connections. */
export interface Openings {
  /** Milliseconds until the next call is allowed; 0 for now. */
  waitMs(): number;
  /** Slack responded to a call, which counts against the limit. */
  took(): void;
  /** Slack asked for no calls for this long. */
  blocked(ms: number): void;
}

export function createOpenings(clock: Pick<Clock, 'now'>): Openings {
  /** The token bucket, in milliseconds: a call takes a minute, and each millisecond refills one. */
  let left = AT_ONCE * MINUTE_MS;
  let countedAt = clock.now();
  let blockedUntil = 0;
  const fill = () => {
    const now = clock.now();
    left = Math.min(AT_ONCE * MINUTE_MS, left + Math.max(0, now - countedAt));
    countedAt = now;
  };
  return {
    waitMs: () => {
      fill();
      return Math.max(MINUTE_MS - left, blockedUntil - clock.now(), 0);
    },
    took: () => {
      fill();
      left = Math.max(0, left - MINUTE_MS);
    },
    blocked: (ms) => {
      blockedUntil = clock.now() + ms;
    },
  };
}

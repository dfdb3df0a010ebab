import type { Clock } from '../../../lib/clock.ts';

/** `apps.connections.open` is of tier 1: about one call a minute, with room for a few that follow a failure. */
const MINUTE_MS = 60_000;
const AT_ONCE = 5;

/** When Slack may be asked for the next connection. */
export interface Openings {
  /** Milliseconds until then; 0 for now. */
  waitMs(): number;
  /** Slack has answered a call: it counts. */
  took(): void;
  /** Slack wants no call for so long. */
  blocked(ms: number): void;
}

export function createOpenings(clock: Pick<Clock, 'now'>): Openings {
  /** In milliseconds of the pace: a call takes a minute of it, and each millisecond brings one back. */
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

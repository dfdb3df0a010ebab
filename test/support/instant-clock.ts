import type { Clock } from '../../src/lib/clock.ts';

/** A clock on which nobody waits: a sleep moves it on at once, and is written down. */
export interface InstantClock extends Clock {
  /** How long each sleep would have been, in milliseconds. */
  readonly slept: number[];
}

export function instantClock(start = Date.parse('2026-03-17T12:00:00Z')): InstantClock {
  const slept: number[] = [];
  let now = start;
  return {
    slept,
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}

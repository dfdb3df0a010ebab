import type { Clock } from '../../src/lib/clock.ts';

/** A clock that stands still until it is moved; a sleep ends when the clock has come so far. */
export interface HandClock extends Clock {
  advance(ms: number): void;
}

export function handClock(start = Date.parse('2026-03-17T12:00:00Z')): HandClock {
  let now = start;
  let sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((wake, reject) => {
        signal?.throwIfAborted();
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        sleepers.push({ at: now + ms, wake });
      }),
    advance: (ms) => {
      now += ms;
      const due = sleepers.filter(({ at }) => at <= now);
      sleepers = sleepers.filter(({ at }) => at > now);
      for (const { wake } of due) wake();
    },
  };
}

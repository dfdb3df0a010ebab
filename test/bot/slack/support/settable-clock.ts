import type { Clock } from '../../../../src/lib/clock.ts';

/** A clock that stands still until the test moves it, and wakes who has slept long enough. */
export interface SettableClock extends Clock {
  move(ms: number): void;
  /** How many sleep now. */
  sleeping(): number;
}

export function settableClock(start = Date.parse('2026-03-17T12:00:00Z')): SettableClock {
  let now = start;
  const sleepers = new Set<{ until: number; wake: () => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const leave = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper = {
          until: now + ms,
          wake: () => {
            signal?.removeEventListener('abort', leave);
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', leave, { once: true });
      }),
    move: (ms) => {
      now += ms;
      for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake();
    },
    sleeping: () => sleepers.size,
  };
}

import type { Clock } from '../../src/clock.ts';

/** Noon, unless a test needs another moment. */
const START = Date.parse('2026-03-17T12:00:00Z');

/** A clock that stands still until a test advances it; a sleep ends once it has been advanced that far. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
  /** Advances, and lets what that woke run. */
  pass(ms: number): Promise<void>;
  /** How many sleep now. */
  sleeping(): number;
}

export function manualClock(start = START): ManualClock {
  let now = start;
  const sleepers = new Set<{ due: number; wake: () => void }>();
  const advance = (ms: number) => {
    now += ms;
    for (const sleeper of [...sleepers]) if (sleeper.due <= now) sleeper.wake();
  };
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        if (ms <= 0) return resolve();
        const end = (settle: () => void) => () => {
          signal?.removeEventListener('abort', abort);
          sleepers.delete(sleeper);
          settle();
        };
        const sleeper = { due: now + ms, wake: end(resolve) };
        const abort = end(() => reject(signal?.reason));
        sleepers.add(sleeper);
        signal?.addEventListener('abort', abort, { once: true });
      }),
    advance,
    pass: async (ms) => {
      advance(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
    sleeping: () => sleepers.size,
  };
}

/** A clock that nobody waits for: a sleep advances it at once, and is written down. */
export interface InstantClock extends Clock {
  /** How long each sleep would have been, in milliseconds. */
  readonly slept: number[];
}

export function instantClock(start = START): InstantClock {
  const { now, advance } = manualClock(start);
  const slept: number[] = [];
  return {
    slept,
    now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
      advance(ms);
    },
  };
}

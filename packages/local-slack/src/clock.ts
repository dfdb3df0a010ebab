import { setTimeout as delay } from 'node:timers/promises';

/** The only source of time, so that no test sleeps. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal ? { signal } : {}),
};

/** Work that Slack does shortly after it has answered. */
export interface Jobs {
  /** Runs after that many milliseconds of the clock; with none, immediately. */
  later(ms: number, run: () => void): void;
  /** Resolves after that many milliseconds of the clock, or when the workspace stops. */
  wait(ms: number): Promise<void>;
  /** Runs pending jobs immediately: Slack would not lose them. */
  close(): Promise<void>;
}

export function createJobs(clock: Clock): Jobs {
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  // A timer may fire slightly before the clock reaches the due time.
  const sleepUntil = async (due: number): Promise<void> => {
    for (let left = due - clock.now(); left > 0; left = due - clock.now()) {
      await clock.sleep(left, stop.signal);
    }
  };
  const later: Jobs['later'] = (ms, run) => {
    if (ms <= 0 || stop.signal.aborted) return run();
    const job = sleepUntil(clock.now() + ms)
      .catch(() => undefined)
      .then(run)
      .finally(() => running.delete(job));
    running.add(job);
  };
  return {
    later,
    wait: (ms) => new Promise((resolve) => later(ms, resolve)),
    close: async () => {
      stop.abort();
      await Promise.all(running);
    },
  };
}

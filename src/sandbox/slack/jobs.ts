import type { Clock } from '../../lib/clock.ts';

/** What Slack does a moment after it has answered. */
export interface Jobs {
  /** Runs it after so many milliseconds of the clock; without any, at once. */
  later(ms: number, run: () => void): void;
  /** Resolves after so many milliseconds of the clock, or as soon as the workspace stops. */
  wait(ms: number): Promise<void>;
  /** Runs at once what is still due: Slack would not lose it. */
  close(): Promise<void>;
}

export function createJobs(clock: Clock): Jobs {
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  // A timer may fire a moment before the clock says that it is time, and what is due by then would be left undone.
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

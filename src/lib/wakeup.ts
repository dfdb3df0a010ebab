/** Lets a loop sleep until there is work, without polling: whoever makes work rings. */
export interface Bell {
  ring(): void;
  /** Resolves when it rings (or has rung since the last wait), after `ms` milliseconds, or on abort. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', finish);
          wake = null;
          rung = false;
          resolve();
        };
        const timer = setTimeout(finish, ms);
        signal.addEventListener('abort', finish, { once: true });
        wake = finish;
        if (rung || signal.aborted) finish();
      }),
  };
}

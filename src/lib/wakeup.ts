/** Lets a loop sleep until there is work, without polling: whoever creates work wakes it. */
export interface Wakeup {
  wake(): void;
  /** Resolves when woken (or if it was since the last wait), after `ms` milliseconds, or on abort. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createWakeup(): Wakeup {
  let woken = false;
  let wake: (() => void) | null = null;
  return {
    wake: () => {
      woken = true;
      wake?.();
    },
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', finish);
          wake = null;
          woken = false;
          resolve();
        };
        const timer = setTimeout(finish, ms);
        signal.addEventListener('abort', finish, { once: true });
        wake = finish;
        if (woken || signal.aborted) finish();
      }),
  };
}

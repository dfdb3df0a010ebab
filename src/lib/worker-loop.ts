/** Background work that goes on until it is stopped. */
export interface Worker {
  start(): void;
  /** Resolves when the current round has ended. */
  stop(): Promise<void>;
}

interface RoundsOptions<T> {
  /** One round of work; once `signal` aborts, there will be no further one. */
  round(signal: AbortSignal): Promise<T>;
  /** Waits for the next round, or for the signal. `did` is the round's result; `null` after a failure. */
  rest(signal: AbortSignal, did: T | null): Promise<unknown>;
  /** A round failed; the next one runs regardless. */
  onError(error: unknown): void;
}

/** Runs rounds of work, one after the other. */
export function createWorkerLoop<T>({
  round,
  rest,
  onError,
}: RoundsOptions<T>): Worker & { signal: AbortSignal } {
  const stopping = new AbortController();
  const { signal } = stopping;
  let loop: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let did: T | null = null;
      try {
        did = await round(signal);
      } catch (error) {
        onError(error);
      }
      // A wait interrupted by the stop rejects.
      if (!signal.aborted) await rest(signal, did).catch(() => undefined);
    }
  }

  return {
    signal,
    start: () => {
      loop = run();
    },
    stop: () => {
      stopping.abort();
      return loop;
    },
  };
}

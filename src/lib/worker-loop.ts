/** Something that works on beside everything else until it is stopped. */
export interface Worker {
  start(): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

interface RoundsOptions<T> {
  /** One round of work; `signal` says that there is to be no further one. */
  round(signal: AbortSignal): Promise<T>;
  /** Waits until the next round, or until the signal. `did` is what the round answered; `null` after one that failed. */
  rest(signal: AbortSignal, did: T | null): Promise<unknown>;
  /** A round failed: it is told, and the next one comes all the same. */
  onError(error: unknown): void;
}

/** Works in rounds, one after the other. */
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
      // A wait ends with a rejection where it was the stop that ended it.
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

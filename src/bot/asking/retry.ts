import type { Clock } from '../../lib/clock.ts';

/** About a minute: a disk that is full for longer needs an operator. */
const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

interface RetryOptions {
  clock: Clock;
  /** No further attempt. */
  signal: AbortSignal;
  onError(error: unknown): void;
}

/** Retries something for a while; rejects with its last failure, or on the signal. */
export async function retry(
  work: () => Promise<void>,
  { clock, signal, onError }: RetryOptions,
): Promise<void> {
  for (const waitMs of WAITS_MS) {
    try {
      return await work();
    } catch (error) {
      onError(error);
      await clock.sleep(waitMs, signal);
    }
  }
  return work();
}

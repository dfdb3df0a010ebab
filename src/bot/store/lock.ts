import type { Clock } from '../../lib/clock.ts';
import { type Lock, lockFile } from '../../lib/file-lock.ts';
import { StoreError } from './errors.ts';

const RETRY_MS = 200;

/**
 * Takes the file's lock, which a crash drops too. Waits up to `waitMs` for another process to exit (a rolling restart).
 *
 * @throws StoreError if the other process is still running after that.
 */
export async function takeLock(
  file: string,
  options: { clock: Clock; waitMs: number; signal?: AbortSignal; onWait?: () => void },
): Promise<Lock> {
  const deadline = options.clock.now() + options.waitMs;
  let waiting = false;
  for (;;) {
    const lock = tryLock(file);
    if (lock) return lock;
    if (options.clock.now() >= deadline) {
      throw new StoreError(
        `Another Gumshoe is running on ${file} and did not stop within ${options.waitMs / 1000} seconds. ` +
          'Stop it, or give this one its own file with DATABASE_URL=sqlite:./data/other.db.',
      );
    }
    if (!waiting) options.onWait?.();
    waiting = true;
    await options.clock.sleep(RETRY_MS, options.signal);
  }
}

function tryLock(file: string): Lock | null {
  try {
    return lockFile(file);
  } catch (error) {
    throw new StoreError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

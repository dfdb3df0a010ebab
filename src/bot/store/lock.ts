import Sqlite from 'better-sqlite3';
import type { Clock } from '../../lib/clock.ts';
import { StoreError } from './errors.ts';

const RETRY_MS = 200;

/** Held for the life of the process: one process per database file. */
export interface Lock {
  release(): void;
}

/**
 * Takes the file's lock: an exclusive SQLite transaction on `<file>.lock`. The operating system
 * drops it however the process dies, so a restart after a crash need not wait. Waits up to `waitMs` for another process
 * to exit (a rolling restart).
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
    const lock = tryLock(`${file}.lock`);
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

function tryLock(path: string): Lock | null {
  let db: Sqlite.Database | null = null;
  try {
    db = new Sqlite(path, { timeout: 0 });
    db.pragma('locking_mode = exclusive');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      `Cannot take the lock ${path} (${reason}). Check that this user can write to its folder, and that ` +
        'nothing else made a file of this name.',
      { cause: error },
    );
  }
  const held = db;
  return { release: () => void held.close() };
}

import { type FileHandle, open } from 'node:fs/promises';

/** Flushes commits to disk, off the main thread. */
export interface LogSync {
  /** Resolves when everything written before the call is on disk; simultaneous calls share one flush. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the log; tests pass a disk that is slow, broken, or instant. */
export type OpenLog = (file: string) => Promise<Pick<FileHandle, 'datasync' | 'close'>>;

/**
 * For a log that SQLite writes with `synchronous=NORMAL`: a commit is in the log, in order and with a checksum, but may
 * still be in the kernel's cache. This is the `fsync` that `synchronous=FULL` would block the whole program for.
 *
 * After a failure all later calls fail too: the kernel may have dropped what it could not write, and would report
 * success the next time. A restart reads what is really on disk.
 *
 * @param file the write-ahead log; it exists from the first write to the database
 */
export function createLogSync(file: string, openLog: OpenLog = (name) => open(name, 'r+')): LogSync {
  let log: ReturnType<OpenLog> | null = null;
  let wanted = 0;
  let reached = 0;
  let running: Promise<void> | null = null;
  let failed: { error: unknown } | null = null;

  async function once(): Promise<void> {
    const upTo = wanted;
    try {
      log ??= openLog(file);
      await (await log).datasync();
      reached = upTo;
    } catch (error) {
      failed = { error };
    } finally {
      running = null;
    }
  }

  return {
    sync: async () => {
      wanted += 1;
      const mine = wanted;
      while (reached < mine) {
        if (failed !== null) throw failed.error;
        running ??= once();
        await running;
      }
    },
    close: async () => {
      await running;
      await (await log?.catch(() => null))?.close();
    },
  };
}

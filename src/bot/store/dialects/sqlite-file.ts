import type { Clock } from '../../../lib/clock.ts';
import { copyBefore, pruneCopies } from '../backups.ts';
import { takeLock } from '../lock.ts';
import { migrate } from '../migrate.ts';
import type { OpenLog } from './log-sync.ts';
import type { OpenedDatabase } from './opened-database.ts';
import { createSharedCommit } from './shared-commit.ts';
import { openSqlite } from './sqlite.ts';

export interface SqliteOptions {
  file: string;
  clock: Clock;
  /** How long to wait for another process to release the file. */
  lockWaitMs?: number;
  signal?: AbortSignal;
  onWait?: () => void;
  openLog?: OpenLog;
}

const LOCK_WAIT_MS = 15_000;

/**
 * Locks the file for this process, opens it, checks it, and migrates it.
 *
 * @throws StoreError in words for the operator: held by another process, damaged, too new, not writable.
 */
export async function openSqliteFile(options: SqliteOptions): Promise<OpenedDatabase> {
  const { file, clock, lockWaitMs: waitMs = LOCK_WAIT_MS, signal, onWait } = options;
  const opened = openSqlite(file, options.openLog);
  let lock: Awaited<ReturnType<typeof takeLock>>;
  try {
    lock = await takeLock(file, {
      clock,
      waitMs,
      ...(signal ? { signal } : {}),
      ...(onWait ? { onWait } : {}),
    });
  } catch (error) {
    await opened.close();
    throw error;
  }
  try {
    await migrate(opened.db.withoutPlugins(), {
      name: `database ${file}`,
      beforeChange: async (version) => {
        // Earlier versions did not overwrite deleted data. Done before the copy, which would otherwise contain it, and
        // before the migrations: if the process dies here, the next start repeats it.
        opened.rewrite();
        await opened.copyTo(copyBefore(file, version, clock.now()));
      },
    });
    pruneCopies(file);
    // The previous process may have died between a deletion and this.
    opened.truncateLog();
  } catch (error) {
    await opened.close();
    lock.release();
    throw error;
  }
  const { db } = opened;
  return {
    db,
    replicas: null,
    transaction: createSharedCommit(db),
    // On the one connection, each in turn: inside another transaction they would have no effect.
    giveBack: () => db.connection().execute(async () => opened.giveBack()),
    truncateLog: () => db.connection().execute(async () => opened.truncateLog()),
    close: async () => {
      await opened.close();
      lock.release();
    },
  };
}

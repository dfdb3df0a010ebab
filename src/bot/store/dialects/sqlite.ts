import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { type Lock, lockFile } from '../../../lib/file-lock.ts';
import { makeFolder } from '../../../lib/io.ts';
import { keepPrepared } from '../../../lib/prepared-statements.ts';
import { StoreError } from '../errors.ts';
import { migrate } from '../migrate.ts';
import type { Database, Tables } from '../tables.ts';
import { columns, SqliteColumnsDialect } from './columns.ts';
import type { OpenedDatabase } from './opened-database.ts';

const MEMORY = ':memory:';
const Checkpoint = z.object({ busy: z.number() });

const BUSY_TIMEOUT_MS = 5_000;
/** 2 MB: takes milliseconds. */
const PAGES_AT_ONCE = 512;
const LOCK_WAIT_MS = 15_000;

export interface SqliteOptions {
  file: string;
  clock: Clock;
  /** How long to wait for another process to release the file. */
  lockWaitMs?: number;
  signal?: AbortSignal;
  onWait?: () => void;
  /** False only in tests: commits then need not survive a power cut. */
  isDurable?: boolean;
}

/**
 * Locks the file for this process, opens it, checks it, and migrates it.
 *
 * @throws StoreError in words for the operator: held by another process, damaged, too new, not writable.
 */
export async function openSqliteFile(options: SqliteOptions): Promise<OpenedDatabase> {
  const { file, clock, lockWaitMs: waitMs = LOCK_WAIT_MS, signal, onWait, isDurable } = options;
  const opened = openSqlite(file, isDurable);
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
    await migrate(opened.db.withoutPlugins(), `database ${file}`);
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
    transaction: (work) => db.transaction().execute(work),
    // On the one connection, each in turn: inside another transaction they would have no effect.
    releaseFreePages: () => db.connection().execute(async () => opened.releaseFreePages()),
    truncateLog: () => db.connection().execute(async () => opened.truncateLog()),
    close: async () => {
      await opened.close();
      lock.release();
    },
  };
}

/** A database in memory with another's settings of channels, and what people taught. */
export async function openInMemory(of: Database): Promise<SqliteDatabaseFile> {
  const opened = openSqlite(MEMORY);
  await migrate(opened.db.withoutPlugins(), 'scratch database');
  for (const table of ['channels', 'identityOverrides'] as const) {
    const rows = await of.selectFrom(table).selectAll().execute();
    for (const row of rows) await opened.db.insertInto(table).values(row).execute();
  }
  return opened;
}

/** An open file, with the SQLite-specific operations. */
export interface SqliteDatabaseFile {
  db: Kysely<Tables>;
  /**
   * Checkpoints the write-ahead log and empties it, since it still contains deleted data. False while a reader blocks
   * it.
   */
  truncateLog(): boolean;
  /** Returns a few unused pages to the disk; false when there are none. */
  releaseFreePages(): boolean;
  close(): Promise<void>;
}

/**
 * Opens (or creates) a SQLite file: creates a missing folder, mode 600, WAL, foreign keys, checked for damage. What is
 * committed is on disk.
 *
 * @throws StoreError in words for the operator.
 */
export function openSqlite(file: string, isDurable = true): SqliteDatabaseFile {
  const sqlite = connect(file);
  try {
    // Takes effect in a new file only.
    sqlite.pragma('auto_vacuum = INCREMENTAL');
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma(`synchronous = ${isDurable ? 'FULL' : 'OFF'}`);
    sqlite.pragma('foreign_keys = ON');
    // Overwrites deleted data, in the file and in its log.
    sqlite.pragma('secure_delete = ON');
    const check = sqlite.pragma('quick_check', { simple: true });
    if (check !== 'ok') throw corrupt(file, new Error(String(check)));
    // From here on the dialect waits for locks, outside of the event loop's turn.
    sqlite.pragma('busy_timeout = 0');
  } catch (error) {
    sqlite.close();
    if (error instanceof StoreError) throw error;
    throw isDamage(error) ? corrupt(file, error) : notOpened(file, error);
  }
  const db = new Kysely<Tables>({
    dialect: new SqliteColumnsDialect({ database: keepPrepared(sqlite) }),
    plugins: [...columns],
  });
  return {
    db,
    truncateLog: () => {
      const [checkpoint] = z.array(Checkpoint).parse(sqlite.pragma('wal_checkpoint(TRUNCATE)'));
      return checkpoint?.busy === 0;
    },
    releaseFreePages: () => {
      const free = () => Number(sqlite.pragma('freelist_count', { simple: true }));
      const before = free();
      try {
        sqlite.pragma(`incremental_vacuum(${PAGES_AT_ONCE})`);
      } catch (error) {
        // Another process writes: the next sweep gives back.
        if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY') return false;
        throw error;
      }
      return free() < before;
    },
    close: async () => {
      await db.destroy();
      // Kysely leaves a connection open if no query used it.
      if (sqlite.open) sqlite.close();
    },
  };
}

function connect(file: string): Sqlite.Database {
  if (file === MEMORY) return new Sqlite(file);
  try {
    makeFolder(dirname(file));
    if (existsSync(file) && !statSync(file).isFile()) throw new Error('it is not a file');
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
    return new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw notOpened(file, error);
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/u.test(error.code);
}

function notOpened(file: string, cause: unknown): StoreError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(
    `Cannot open the database ${file} (${reason}). Check that the folder exists and that this user ` +
      'can write to it, or set DATABASE_URL=sqlite:/path/to/gumshoe.db.',
    { cause },
  );
}

function corrupt(file: string, cause: unknown): StoreError {
  return new StoreError(
    `The database ${file} is corrupt and will not be used. Move it and its -wal and -shm files away, put the ` +
      'latest backup (made with `npm run backup`) in its place, then start again.',
    { cause },
  );
}

const RETRY_MS = 200;

/**
 * Takes the file's lock, which a crash drops too. Waits up to `waitMs` for another process to exit (a rolling restart).
 *
 * @throws StoreError if the other process is still running after that.
 */
async function takeLock(
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

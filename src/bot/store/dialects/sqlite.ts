import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { z } from 'zod';
import { makeFolder } from '../../../lib/folder.ts';
import { StoreError } from '../errors.ts';
import type { Tables } from '../tables.ts';
import { columns } from './columns.ts';
import { createLogSync, type OpenLog } from './log-sync.ts';
import { DurableSqliteDialect, type WatchedDatabase } from './sqlite-driver.ts';

const Checkpoint = z.object({ busy: z.number() });

const BUSY_TIMEOUT_MS = 5_000;
/** 2 MB: takes milliseconds. */
const PAGES_AT_ONCE = 512;
/** The program has a few hundred queries. */
const MOST_PREPARED = 500;

/** An open file, with the SQLite-specific operations. */
export interface SqliteDatabaseFile {
  db: Kysely<Tables>;
  /** Copies the whole database consistently to another file. */
  copyTo(file: string): Promise<void>;
  /**
   * Checkpoints the write-ahead log and empties it, since it still contains deleted data. False while a reader blocks
   * it.
   */
  truncateLog(): boolean;
  /** Returns a few unused pages to the disk; false when there are none. */
  giveBack(): boolean;
  /**
   * Rewrites the whole file (`VACUUM`), without data deleted before deletions were overwritten. All or nothing; needs
   * about the file's size in free space.
   *
   * @throws StoreError when it cannot, for example because the disk is full.
   */
  rewrite(): void;
  close(): Promise<void>;
}

/**
 * Opens (or creates) a SQLite file: creates a missing folder, mode 600, WAL, foreign keys, checked for damage. A write
 * is on disk when its promise resolves (`log-sync.ts`), so SQLite itself need not wait for the disk at each commit.
 *
 * @throws StoreError in words for the operator.
 */
export function openSqlite(file: string, openLog?: OpenLog): SqliteDatabaseFile {
  const sqlite = connect(file);
  try {
    // Takes effect in a new file, or once an older one is rewritten.
    sqlite.pragma('auto_vacuum = INCREMENTAL');
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = NORMAL');
    sqlite.pragma('foreign_keys = ON');
    // Overwrites deleted data, in the file and in its log.
    sqlite.pragma('secure_delete = ON');
    const check = sqlite.pragma('quick_check', { simple: true });
    if (check !== 'ok') throw corrupt(file, new Error(String(check)));
  } catch (error) {
    sqlite.close();
    if (error instanceof StoreError) throw error;
    throw isDamage(error) ? corrupt(file, error) : notOpened(file, error);
  }
  const db = new Kysely<Tables>({
    dialect: new DurableSqliteDialect({
      database: keepPrepared(sqlite),
      log: createLogSync(`${file}-wal`, openLog),
    }),
    plugins: [columns],
  });
  return {
    db,
    copyTo: async (copy) => {
      closeSync(openSync(copy, 'wx', 0o600));
      await sqlite.backup(copy);
    },
    truncateLog: () => {
      const [checkpoint] = z.array(Checkpoint).parse(sqlite.pragma('wal_checkpoint(TRUNCATE)'));
      return checkpoint?.busy === 0;
    },
    giveBack: () => {
      const free = () => Number(sqlite.pragma('freelist_count', { simple: true }));
      const before = free();
      sqlite.pragma(`incremental_vacuum(${PAGES_AT_ONCE})`);
      return free() < before;
    },
    rewrite: () => {
      try {
        sqlite.exec('VACUUM');
      } catch (error) {
        throw isDamage(error) ? corrupt(file, error) : notRewritten(file, error);
      }
    },
    close: async () => {
      await db.destroy();
      // Kysely leaves a connection open if no query used it.
      if (sqlite.open) sqlite.close();
    },
  };
}

/**
 * Kysely prepares a query each time it runs, which takes longer than running most of ours. This keeps prepared
 * statements for reuse. SQLite re-prepares them itself after a schema change.
 */
function keepPrepared(sqlite: Sqlite.Database): WatchedDatabase {
  const kept = new Map<string, Sqlite.Statement<unknown[]>>();
  let isWritten = false;
  return {
    wasWritten: () => {
      const was = isWritten;
      isWritten = false;
      return was;
    },
    prepare: (sql) => {
      const found = kept.get(sql);
      // A statement that is still returning rows cannot be restarted.
      const statement = found === undefined || found.busy ? sqlite.prepare<unknown[]>(sql) : found;
      if (found === undefined) {
        // The oldest ones have to go: those that are asked all the time are soon prepared again.
        if (kept.size >= MOST_PREPARED)
          for (const oldest of [...kept.keys()].slice(0, MOST_PREPARED / 2)) kept.delete(oldest);
        kept.set(sql, statement);
      }
      if (!statement.readonly) isWritten = true;
      return statement;
    },
    close: () => void sqlite.close(),
  };
}

function connect(file: string): Sqlite.Database {
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

function notRewritten(file: string, cause: unknown): StoreError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(
    `Could not rewrite the database ${file} before the upgrade (${reason}). Nothing was changed; free about ` +
      'twice its size on disk, then start again.',
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

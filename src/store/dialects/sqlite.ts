import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { StoreError } from '../errors.ts';
import type { Tables } from '../tables.ts';

const BUSY_TIMEOUT_MS = 5_000;

/** An opened database, with what only its dialect knows how to do. */
export interface OpenedDialect {
  db: Kysely<Tables>;
  /** A consistent copy of the whole database in another file. */
  copyTo(file: string): Promise<void>;
}

/**
 * Opens (or makes) a SQLite file: folder made if missing, mode 600, WAL, `synchronous=FULL` (the library
 * is built with NORMAL in WAL mode, which may lose the last commits), foreign keys, checked for damage.
 *
 * @throws StoreError in words for the operator.
 */
export function openSqlite(file: string): OpenedDialect {
  const sqlite = connect(file);
  try {
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    const check = sqlite.pragma('quick_check', { simple: true });
    if (check !== 'ok') throw corrupt(file, new Error(String(check)));
  } catch (error) {
    sqlite.close();
    throw error instanceof StoreError ? error : corrupt(file, error);
  }
  return {
    db: new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) }),
    copyTo: async (copy) => {
      await sqlite.backup(copy);
      chmodSync(copy, 0o600);
    },
  };
}

function connect(file: string): Sqlite.Database {
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
    return new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      `The database ${file} cannot be opened (${reason}). Check that the folder exists and that this user ` +
        'may write in it, or set DATABASE_URL=sqlite:/path/to/gumshoe.db.',
      { cause: error },
    );
  }
}

function corrupt(file: string, cause: unknown): StoreError {
  return new StoreError(
    `The database ${file} is damaged and is not used. Move it and its -wal and -shm files away and put the ` +
      'latest backup in its place (made with `npm run backup`), then start again.',
    { cause },
  );
}

import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, type SqliteDatabase, SqliteDialect, sql } from 'kysely';
import { makeFolder } from '../../../lib/folder.ts';
import { OperatorError } from '../../../lib/operator-error.ts';
import type { Dialect, OpenedDatabase } from '../database.ts';
import type { Query, Tables } from '../tables.ts';
import { APPLICATION_ID, MIGRATIONS, SCHEMA, SCHEMA_VERSION } from './sqlite-schema.ts';
import { searchSqlite } from './sqlite-search.ts';

/** How long to wait for another process to exit. */
const LOCK_TIMEOUT_MS = 2000;

/** The file cannot be used by the service; the message says why, and what to do. */
class UnusableFileError extends OperatorError {
  override name = 'UnusableFileError';
}

/**
 * Opens the service's database; creates its folder (mode 700), file (mode 600) and tables if missing. Only one process
 * can have the file open; its lock ends with the process in any case.
 *
 * @param file `:memory:` works too
 * @throws UnusableFileError in words for the operator
 */
export function openSqlite(file: string): OpenedDatabase {
  const sqlite = connect(file);
  const query = new Kysely<Tables>({ dialect: new SqliteDialect({ database: keepPrepared(sqlite) }) });
  // There is only one connection, so its user sees no concurrent changes.
  const transaction = <T>(work: (query: Query) => Promise<T>) =>
    query.transaction().execute((trx) => work(trx));
  return {
    query,
    dialect: sqliteDialect,
    transaction,
    snapshot: transaction,
    listen: () => ({ stop: async () => undefined }),
    problem: async () => {
      try {
        // Writes the same value, changing nothing.
        await transaction((trx) => sql.raw(`PRAGMA user_version = ${SCHEMA_VERSION}`).execute(trx));
        return null;
      } catch {
        return 'cannot write to the database: check free disk space';
      }
    },
    close: async () => {
      await query.destroy();
      // Kysely leaves a connection open if no query used it.
      if (sqlite.open) sqlite.close();
    },
  };
}

const sqliteDialect: Dialect = {
  isShared: false,
  leaseUntil: sql<null>`NULL`,
  // Only one process has the file: any previous owner of a version is gone.
  isFree: (owner) => sql<boolean>`(owner IS NULL OR owner <> ${owner})`,
  notify: async () => undefined,
  // There is one transaction at a time.
  lock: async () => undefined,
  contains: (column, text) => sql<boolean>`instr(${column}, ${text}) > 0`,
  findings: {
    rootCauseSummary: sql<string | null>`findings ->> '$.rootCause.rootCauseSummary'`,
    actions: sql<string>`(SELECT json_group_array(value ->> '$.title')
      FROM json_each(findings, '$.remediation.actions'))`,
  },
  index: async (query, { id, foldedTitle, foldedDescription }) => {
    await sql`INSERT INTO search (rowid, title, description)
      VALUES (${id}, ${foldedTitle}, ${foldedDescription})`.execute(query);
  },
  search: (query, conditions, search) => searchSqlite(query, sqliteDialect, conditions, search),
};

function connect(file: string): Sqlite.Database {
  const onDisk = file !== ':memory:';
  if (onDisk) makeFolder(dirname(file), 0o700);
  const db = new Sqlite(file, { timeout: LOCK_TIMEOUT_MS });
  try {
    if (onDisk) chmodSync(file, 0o600);
    db.pragma('locking_mode = EXCLUSIVE');
    db.transaction(() => prepare(db, file)).exclusive();
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    // The first read creates the log: do it now, while nobody is waiting.
    db.prepare('SELECT 1 FROM sqlite_schema').get();
    return db;
  } catch (error) {
    db.close();
    throw error instanceof Sqlite.SqliteError ? explained(error, file) : error;
  }
}

/**
 * Kysely prepares a query each time it runs, which takes longer than running most of ours; they are few, so all are
 * kept.
 */
function keepPrepared(sqlite: Sqlite.Database): SqliteDatabase {
  const kept = new Map<string, Sqlite.Statement<unknown[]>>();
  return {
    prepare: (text) => {
      const found = kept.get(text);
      // A statement that is still returning rows cannot be restarted.
      const statement = found === undefined || found.busy ? sqlite.prepare<unknown[]>(text) : found;
      if (kept.size >= MOST_PREPARED) kept.clear();
      kept.set(text, statement);
      return statement;
    },
    close: () => void sqlite.close(),
  };
}

/** A query with a list of ids has a different text for each length. */
const MOST_PREPARED = 500;

function prepare(db: Sqlite.Database, file: string): void {
  const application = Number(db.pragma('application_id', { simple: true }));
  const version = Number(db.pragma('user_version', { simple: true }));
  if (application === APPLICATION_ID) {
    if (version === SCHEMA_VERSION) return;
    if (MIGRATIONS[version] !== undefined) {
      for (let from = version; from < SCHEMA_VERSION; from++) db.exec(MIGRATIONS[from] ?? '');
      return;
    }
    throw new UnusableFileError(
      `${file} has schema version ${version}, but this program needs ${SCHEMA_VERSION}: run the version that wrote it, or use another file`,
    );
  }
  if (application !== 0 || version !== 0 || db.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined) {
    throw new UnusableFileError(`${file} belongs to another program: use a file of the service's own`);
  }
  db.exec(SCHEMA);
}

function explained(error: Error & { code: string }, file: string): Error {
  const message = error.code.startsWith('SQLITE_BUSY')
    ? `${file} is in use by another process: stop it, or use another file`
    : error.code === 'SQLITE_NOTADB'
      ? `${file} is not a SQLite file: use another one`
      : `${file} could not be opened: ${error.message}`;
  return new UnusableFileError(message, { cause: error });
}

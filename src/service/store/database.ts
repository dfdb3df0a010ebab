import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from '../../lib/folder.ts';
import { APPLICATION_ID, MIGRATIONS, SCHEMA, SCHEMA_VERSION } from './tables.ts';

export type Connection = Database.Database;

/** How long to wait for a process that is on its way out. */
const LOCK_TIMEOUT_MS = 2000;

/** The file cannot be the service's; the message says why, and what to do. */
class UnusableFileError extends Error {
  override name = 'UnusableFileError';
}

/**
 * Opens the service's database; makes its folder (mode 700), file (mode 600) and tables where missing. One
 * process has the file at a time; the lock ends with its process, however that ends.
 */
export function openDatabase(file: string): Connection {
  const onDisk = file !== ':memory:';
  if (onDisk) makeFolder(dirname(file), 0o700);
  const db = new Database(file, { timeout: LOCK_TIMEOUT_MS });
  try {
    if (onDisk) chmodSync(file, 0o600);
    db.pragma('locking_mode = EXCLUSIVE');
    db.transaction(() => prepare(db, file)).exclusive();
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    return db;
  } catch (error) {
    db.close();
    throw error instanceof Database.SqliteError ? explained(error, file) : error;
  }
}

/** Whether the file accepts a write; what it writes changes nothing. */
export function isWritable(db: Connection): boolean {
  try {
    db.transaction(() => db.pragma(`user_version = ${SCHEMA_VERSION}`)).immediate();
    return true;
  } catch {
    return false;
  }
}

function prepare(db: Connection, file: string): void {
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

import Sqlite from 'better-sqlite3';

/** Held for the life of the process: one process per database file. */
export interface Lock {
  release(): void;
}

/**
 * Locks a database file by an exclusive SQLite transaction on `<file>.lock`: the operating system drops it however the
 * process dies, and the database itself can still be read, as a backup does.
 * @param waitMs how long another process may take to let go of it; meanwhile this one is blocked
 * @returns `null` if another process has it still
 * @throws Error in words for the operator, if there can be no lock
 */
export function lockFile(file: string, waitMs = 0): Lock | null {
  const path = `${file}.lock`;
  let db: Sqlite.Database | null = null;
  try {
    db = new Sqlite(path, { timeout: waitMs });
    db.pragma('locking_mode = exclusive');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `Cannot take the lock ${path} (${reason}). Check that this user can write to its folder, and that ` +
        'nothing else made a file of this name.',
      { cause: error },
    );
  }
  const held = db;
  return { release: () => void held.close() };
}

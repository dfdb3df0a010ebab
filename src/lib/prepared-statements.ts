import type Sqlite from 'better-sqlite3';
import type { SqliteDatabase } from 'kysely';

/** A query with a list of ids has a different text for each length. */
const MOST_PREPARED = 500;

/** A kept `select *` would return the columns of before. */
const CHANGES_TABLES = /^\s*(?:create|alter|drop)\b/iu;

/**
 * Kysely prepares a query each time it runs, which takes longer than running most of ours; they are few, so all are
 * kept.
 */
export function keepPrepared(sqlite: Sqlite.Database): SqliteDatabase {
  const kept = new Map<string, Sqlite.Statement<unknown[]>>();
  return {
    prepare: (text) => {
      const found = kept.get(text);
      // A statement that is still returning rows cannot be restarted.
      const statement = found === undefined || found.busy ? sqlite.prepare<unknown[]>(text) : found;
      if (kept.size >= MOST_PREPARED || CHANGES_TABLES.test(text)) kept.clear();
      kept.set(text, statement);
      return statement;
    },
    close: () => void sqlite.close(),
  };
}

import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { OperatorError } from '../../../lib/operator-error.ts';
import { codeOf, reasonOf } from '../../../lib/postgres/errors.ts';
import type { Query } from '../tables.ts';
import { migrations } from './postgres-migrations/index.ts';

/** The database cannot be used by the service; the message says why, and what to do. */
class UnusableDatabaseError extends OperatorError {
  override name = 'UnusableDatabaseError';
}

const TABLE = 'service_migrations';
/** PostgreSQL's SQLSTATE for a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Migrates the tables to this program's version. If several replicas start at once, one migrates while the others wait
 * for its advisory lock.
 *
 * @param name of the database, for the operator
 * @throws UnusableDatabaseError if it belongs to another program, is newer than this one, or a step failed
 */
export async function migratePostgres(
  query: Query,
  name: string,
  known: Readonly<Record<string, Migration>> = migrations,
): Promise<void> {
  const { rows } = await sql<{ isOurs: boolean; isOthers: boolean }>`select
    to_regclass(${TABLE}) is not null as "isOurs", to_regclass('issues') is not null as "isOthers"`.execute(
    query,
  );
  if (rows[0]?.isOurs === true) {
    if (await isNewer(query, name, known)) return;
  } else if (rows[0]?.isOthers === true) {
    throw new UnusableDatabaseError(
      `The database ${name} belongs to another program: create one of the service's own, and name it in DATABASE_URL.`,
    );
  }
  const migrator = new Migrator({
    db: query,
    provider: { getMigrations: async () => known },
    migrationTableName: TABLE,
    migrationLockTableName: `${TABLE}_lock`,
  });
  for (;;) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    // Another replica is still migrating.
    if (codeOf(error) === LOCK_NOT_AVAILABLE) continue;
    throw new UnusableDatabaseError(
      `The database ${name} could not be migrated, and was left as it was (${reasonOf(error)}): run the version that was there before.`,
      { cause: error },
    );
  }
}

/** Whether a newer program has migrated it, to tables that this one can still use, as during a rollout. */
async function isNewer(
  query: Query,
  name: string,
  known: Readonly<Record<string, Migration>>,
): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(TABLE)} order by name`.execute(
    query,
  );
  const unknown = rows.map((row) => row.name).filter((one) => !Object.hasOwn(known, one));
  if (unknown.length === 0) return false;
  const { rows: oldest } = await sql<{ oldest: string }>`select oldest from compatibility`.execute(query);
  const last = Object.keys(known).at(-1) ?? '';
  if (oldest.some((row) => last >= row.oldest)) return true;
  throw new UnusableDatabaseError(
    `The database ${name} was written by a newer version of the service (it has ${unknown.join(', ')}): run that version, or use another database.`,
  );
}

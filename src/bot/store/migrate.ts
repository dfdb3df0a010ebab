import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StoreError } from './errors.ts';
import { up as initial } from './migrations/0001-initial.ts';
import { up as causesAndTickets } from './migrations/0002-causes-and-tickets.ts';
import { up as verdicts } from './migrations/0003-verdicts.ts';
import { up as incidents } from './migrations/0004-incidents.ts';
import { up as senders } from './migrations/0005-senders.ts';
import type { Tables } from './tables.ts';

/** Every migration in order, by name. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': { up: initial },
  '0002-causes-and-tickets': { up: causesAndTickets },
  '0003-verdicts': { up: verdicts },
  '0004-incidents': { up: incidents },
  '0005-senders': { up: senders },
};

/**
 * Why this program cannot use a database that has these migrations, and what to do about it; `null` if it can.
 *
 * @param done the names of the migrations, in order
 */
export function unusableBecause(
  done: readonly string[],
  known = migrations,
): { reason: string; fix: string } | null {
  const unknown = done.filter((one) => !Object.hasOwn(known, one));
  if (unknown.length === 0) return null;
  if (!done.includes('0001-initial')) {
    return {
      reason: 'was written by an older Gumshoe, and this one cannot read it',
      fix: 'start with an empty database (move the file away, or change DATABASE_URL)',
    };
  }
  return {
    reason: `was written by a newer Gumshoe (it has ${unknown.join(', ')})`,
    fix: 'start that version, or restore a backup from before the upgrade',
  };
}

/**
 * Migrates the tables to this program's version. PostgreSQL and SQLite both undo the step that fails.
 *
 * @param name of the database in error messages, such as `database ./data/gumshoe.db`
 * @throws StoreError if the database is too old or too new for the program, or a step failed.
 */
export async function migrate(db: Kysely<Tables>, name: string, known = migrations): Promise<void> {
  const done = await executedMigrations(db);
  const unusable = unusableBecause(done, known);
  if (unusable !== null) {
    const { reason, fix } = unusable;
    throw new StoreError(`The ${name} ${reason}. ${fix.charAt(0).toUpperCase()}${fix.slice(1)}.`);
  }
  if (done.length === Object.keys(known).length) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...known }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const step = results?.find((result) => result.status === 'Error')?.migrationName ?? 'the first step';
    throw new StoreError(
      `Could not migrate the ${name}: ${step} failed. Nothing was changed; go back to the previous version.`,
      { cause: error },
    );
  }
}

async function executedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name);
}

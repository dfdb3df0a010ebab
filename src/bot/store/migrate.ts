import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StoreError } from './errors.ts';
import { migrations } from './migrations/index.ts';
import type { Tables } from './tables.ts';

export interface MigrateOptions {
  /** For error messages, such as `database ./data/gumshoe.db`. */
  name: string;
  /** Copies an existing database before it is changed. */
  beforeChange?: (fromVersion: string) => Promise<void>;
  /** Replicas of the previous and the next release may use it at the same time. */
  isShared?: boolean;
  known?: Readonly<Record<string, Migration>>;
}

/**
 * Migrates the tables to this program's version.
 *
 * @throws StoreError if the database is too new for the program, or a step failed.
 */
export async function migrate(
  db: Kysely<Tables>,
  { name, beforeChange, isShared = false, known = migrations }: MigrateOptions,
): Promise<void> {
  const done = await executedMigrations(db);
  const unknown = done.filter((one) => !Object.hasOwn(known, one));
  if (unknown.length > 0) {
    if (isShared && (await worksWith(db, Object.keys(known).at(-1) ?? ''))) return;
    throw new StoreError(
      `The ${name} was written by a newer Gumshoe (it has ${unknown.join(', ')}). Start that version, ` +
        (isShared
          ? 'or restore a backup from before the upgrade.'
          : 'or restore the copy made before the upgrade (next to the database, named .before-…).'),
    );
  }
  if (done.length === Object.keys(known).length) return;
  const last = done.at(-1);
  if (last !== undefined) await beforeChange?.(last);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const step = results?.find((result) => result.status === 'Error')?.migrationName ?? 'the first step';
    throw new StoreError(
      `Could not migrate the ${name}: ${step} failed. Nothing was changed; go back to the previous version.`,
      { cause: error },
    );
  }
}

/** Whether a program whose last migration is this one can use the newer tables. */
async function worksWith(db: Kysely<Tables>, last: string): Promise<boolean> {
  const row = await db
    .withTables<{ compatibility: { oldest: string } }>()
    .selectFrom('compatibility')
    .select('oldest')
    .executeTakeFirst();
  return row !== undefined && last >= row.oldest;
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

import { type Migration, Migrator } from 'kysely/migration';
import { StoreError } from './errors.ts';
import { migrations } from './migrations/index.ts';
import type { Database } from './tables.ts';

/**
 * Brings the tables to this program's version. Before an existing database is changed, `beforeChange`
 * makes a copy of it.
 *
 * @throws StoreError when the database is newer than the program, or a step failed.
 */
export async function migrate(
  db: Database,
  file: string,
  beforeChange: (fromVersion: string) => Promise<void>,
  known: Readonly<Record<string, Migration>> = migrations,
): Promise<void> {
  const done = await executedMigrations(db);
  const unknown = done.filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0) {
    throw new StoreError(
      `The database ${file} was written by a newer Gumshoe (it has ${unknown.join(', ')}). Start that version, ` +
        'or restore the copy made before the upgrade (next to the database, named .before-…).',
    );
  }
  if (done.length === Object.keys(known).length) return;
  const last = done.at(-1);
  if (last !== undefined) await beforeChange(last);
  const migrator = new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: async () => known } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const step = results?.find((result) => result.status === 'Error')?.migrationName ?? 'the first step';
    throw new StoreError(
      `Could not migrate the database ${file}: ${step} failed. Nothing was changed; go back to the previous version.`,
      { cause: error },
    );
  }
}

async function executedMigrations(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const rows = await db
    .withoutPlugins()
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name);
}

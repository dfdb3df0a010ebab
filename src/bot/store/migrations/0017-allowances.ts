import type { Kysely } from 'kysely';

/** How often a person has done something within a minute, where several replicas hear of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('allowances')
    .addColumn('key', 'text', (c) => c.primaryKey())
    // Of the database's clock, which is the same for all replicas.
    .addColumn('minute', 'bigint', (c) => c.notNull())
    .addColumn('count', 'bigint', (c) => c.notNull())
    .execute();
}

import { type Kysely, sql } from 'kysely';

/** What people change at the service, kept before the service hears of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('changes')
    .addColumn('cause', 'text', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('recorded', 'integer', (c) => c.notNull().defaultTo(sql`0`))
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('changes_at').on('changes').column('at').execute();
}

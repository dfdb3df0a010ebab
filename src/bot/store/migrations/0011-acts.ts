import type { Kysely } from 'kysely';

/** When what people did last to something was done, and which status of an issue at the service is of our making. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('acts')
    .addColumn('subject', 'text', (c) => c.primaryKey())
    .addColumn('ts', 'text')
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .addColumn('who', 'text', (c) => c.notNull())
    .addColumn('what', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('acts_received_at').on('acts').column('received_at').execute();
  await db.schema.alterTable('issues').addColumn('our_status', 'text').execute();
  await db.schema.alterTable('questions').addColumn('asked_ts', 'text').execute();
}

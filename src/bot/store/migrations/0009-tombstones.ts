import type { Kysely } from 'kysely';

/** Which channel an issue belongs to, for as long as the service has it and longer than its record is kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tombstones')
    .addColumn('uuid', 'text', (c) => c.primaryKey())
    .addColumn('number', 'bigint', (c) => c.notNull())
    .addColumn('organization', 'text', (c) => c.notNull())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('checked_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('tombstones_checked').on('tombstones').column('checked_at').execute();
}

import type { Kysely } from 'kysely';

/** How far the investigations are that people asked for: their cards show it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('progress')
    .addColumn('issue_id', 'text', (c) => c.primaryKey())
    .addColumn('found', 'text', (c) => c.notNull())
    .execute();
}

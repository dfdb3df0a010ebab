import { type Kysely, sql } from 'kysely';

/** What one person has filed within the hour, and the patterns of a channel that are switched off. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('issues_requested_by')
    .on('issues')
    .columns(['requested_by', 'created_at'])
    .execute();
  await db.schema
    .alterTable('channels')
    .addColumn('patterns_off', 'text', (c) => c.notNull().defaultTo(sql`'[]'`))
    .execute();
}

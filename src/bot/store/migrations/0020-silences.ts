import type { Kysely } from 'kysely';

/** The silences at the Alertmanager that Gumshoe has made, for as long as they are wanted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('silences')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('issue_id', 'text', (c) => c.notNull())
    // The Alertmanager's id; null until it has answered.
    .addColumn('silence_id', 'text')
    .addColumn('until', 'bigint', (c) => c.notNull())
    .execute();
}

import type { Kysely } from 'kysely';

/**
 * With it, SQLite takes all open deliveries and sorts them to find the next few, instead of reading those in order by
 * `inbox_next`, which serves everything else that it did.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('inbox_state').execute();
}

import type { Kysely } from 'kysely';

/** What was left out of an answer, since its readers may not see the issue that it is about. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('questions').addColumn('withheld', 'text').execute();
}

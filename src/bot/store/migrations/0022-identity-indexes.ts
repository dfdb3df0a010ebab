import { type Kysely, type SqlBool, sql } from 'kysely';

/**
 * Every alert was written into two indexes by identity, and one of them is a quarter of what the insert costs.
 * `alerts_identity_kind` serves nearly every query; the others are for ignored and held alerts, of which there are few.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('alerts_identity').execute();
  await db.schema
    .createIndex('alerts_unfiled')
    .on('alerts')
    .columns(['identity', 'decision', 'decided_at'])
    .where(sql<SqlBool>`decision = 'ignored' or decision = 'held'`)
    .execute();
}

import type { Kysely } from 'kysely';

/**
 * Without them the newest message of an identity is looked for among all of the last minutes, and the next deliveries are
 * found by sorting all that are open: both grow with the load.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('alerts_identity_kind')
    .on('alerts')
    .columns(['identity', 'channel', 'kind', 'ts'])
    .execute();
  await db.schema.createIndex('inbox_next').on('inbox').columns(['state', 'owner', 'received_at']).execute();
}

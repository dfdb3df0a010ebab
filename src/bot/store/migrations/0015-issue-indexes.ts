import type { Kysely } from 'kysely';

/**
 * Without them SQLite looks for the issue of an identity among all that are closed (or all that are open), and for the
 * issues of a day among all that a channel has had.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('issues_identity_open')
    .on('issues')
    .columns(['identity', 'is_open', 'status_since'])
    .execute();
  // All that it served, the one above serves too.
  await db.schema.dropIndex('issues_identity').execute();
  await db.schema
    .createIndex('issues_channel_created')
    .on('issues')
    .columns(['channel', 'created_at'])
    .execute();
  // With the order that is asked for, or SQLite would take the one above, and read all of the channel.
  await db.schema
    .createIndex('issues_thread_created')
    .on('issues')
    .columns(['channel', 'thread_ts', 'created_at'])
    .execute();
  await db.schema.dropIndex('issues_thread').execute();
  await db.schema
    .createIndex('issues_channel_status')
    .on('issues')
    .columns(['channel', 'status', 'status_since'])
    .execute();
}

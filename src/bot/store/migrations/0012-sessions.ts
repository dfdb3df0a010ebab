import type { Kysely } from 'kysely';

/** What Slack was told of each agent session, and what a person looked at when they asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('thread_ts', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('telling', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('told_at', 'bigint', (c) => c.notNull())
    .addColumn('named', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('stopped_at', 'bigint')
    .addPrimaryKeyConstraint('sessions_pk', ['channel', 'thread_ts'])
    .execute();
  await db.schema.createIndex('sessions_status').on('sessions').columns(['status', 'told_at']).execute();
  await db.schema.alterTable('questions').addColumn('looking_at', 'text').execute();
}

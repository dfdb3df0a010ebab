import type { Kysely } from 'kysely';

/** What a conversation needs that people stop, that goes on after an outage, and that reads what is attached. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('conversations')
    .addColumn('listening', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();

  await db.schema
    .alterTable('questions')
    .addColumn('written_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('questions').addColumn('asked_at', 'bigint').execute();
  await db.schema
    .alterTable('questions')
    .addColumn('files', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute();
  await db.schema.alterTable('questions').addColumn('stopped_by', 'text').execute();
  await db.schema.alterTable('questions').addColumn('offer', 'text').execute();
  await db.schema.createIndex('questions_offer').on('questions').column('offer').execute();
  await db.schema
    .createIndex('questions_conversation')
    .on('questions')
    .columns(['conversation', 'created_at'])
    .execute();

  // Which threads went on lately: after an outage they are read for replies.
  await db.schema.createIndex('conversations_updated').on('conversations').column('updated_at').execute();

  // When we last heard anything of Slack.
  await db.schema.createIndex('inbox_received').on('inbox').column('received_at').execute();
}

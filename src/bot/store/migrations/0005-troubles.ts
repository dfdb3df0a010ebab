import { type Kysely, sql } from 'kysely';

/** What does not work and has been said: once, until it is mended; and which issues wait for that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('troubles')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('since', 'bigint', (c) => c.notNull())
    .addColumn('detail', 'text', (c) => c.notNull())
    .execute();

  // What is swept after its time, and what hangs on it.
  await db.schema.createIndex('issues_closed').on('issues').columns(['is_open', 'status_since']).execute();
  await db.schema.createIndex('files_issue').on('files').columns(['issue_id', 'created_at']).execute();
  await db.schema
    .createIndex('conversations_issue')
    .on('conversations')
    .columns(['issue_id', 'updated_at'])
    .execute();
  await db.schema.createIndex('outbox_question').on('outbox').column('question_id').execute();
  await db.schema
    .createIndex('alerts_loose')
    .on('alerts')
    .column('decided_at')
    .where(sql<boolean>`issue_id is null`)
    .execute();
  await db.schema
    .createIndex('outbox_loose')
    .on('outbox')
    .column('created_at')
    .where(sql<boolean>`issue_id is null and question_id is null`)
    .execute();

  await db.schema.alterTable('issues').addColumn('waits_in', 'text').execute();
  await db.schema.createIndex('issues_waits_in').on('issues').columns(['waits_in', 'state']).execute();
}

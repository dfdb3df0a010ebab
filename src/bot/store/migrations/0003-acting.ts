import type { Kysely } from 'kysely';

/** What people do with results: ticks, votes, digests; and what is kept to show them: artifacts, uploaded files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ticks')
    .addColumn('issue_id', 'text', (c) => c.notNull().references('issues.id'))
    .addColumn('step', 'text', (c) => c.notNull())
    .addColumn('who', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('ticks_pk', ['issue_id', 'step'])
    .execute();

  await db.schema
    .createTable('votes')
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('who', 'text', (c) => c.notNull())
    .addColumn('value', 'integer', (c) => c.notNull())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('votes_pk', ['subject', 'who'])
    .execute();
  await db.schema.createIndex('votes_channel').on('votes').columns(['channel', 'at']).execute();

  await db.schema
    .createTable('digests')
    .addColumn('channel', 'text', (c) => c.primaryKey())
    .addColumn('days', 'text', (c) => c.notNull())
    .addColumn('time', 'text', (c) => c.notNull())
    .addColumn('zone', 'text', (c) => c.notNull())
    .addColumn('set_by', 'text', (c) => c.notNull())
    .addColumn('next_at', 'bigint', (c) => c.notNull())
    .addColumn('last_at', 'bigint')
    .execute();
  await db.schema.createIndex('digests_next').on('digests').column('next_at').execute();

  await db.schema.alterTable('audit').addColumn('channel', 'text').execute();
  await db.schema.createIndex('audit_issue').on('audit').columns(['issue_id', 'at']).execute();
  await db.schema.createIndex('audit_channel').on('audit').columns(['channel', 'at']).execute();

  await db.schema
    .createTable('artifacts')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('body', 'text')
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_at', 'bigint', (c) => c.notNull())
    .addColumn('fetched_at', 'bigint')
    .addPrimaryKeyConstraint('artifacts_pk', ['owner', 'id'])
    .execute();
  await db.schema.createIndex('artifacts_state').on('artifacts').columns(['state', 'next_at']).execute();

  await db.schema
    .createTable('files')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('issue_id', 'text', (c) => c.references('issues.id'))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('what', 'text')
    .addColumn('shown_by', 'text')
    .addColumn('file_id', 'text')
    .addColumn('alt', 'text')
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('files_state').on('files').columns(['state', 'next_at']).execute();
}

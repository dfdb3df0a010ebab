import { type Kysely, sql } from 'kysely';

/** The first tables. Migrations are never edited once released; the next change is the next file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('inbox')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('open'))
    .addColumn('error', 'text')
    .execute();
  await db.schema.createIndex('inbox_state').on('inbox').columns(['state', 'next_at']).execute();

  await db.schema
    .createTable('issues')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('identity', 'text')
    .addColumn('is_open', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('request', 'text', (c) => c.notNull())
    .addColumn('attempted_at', 'bigint')
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('failure', 'text')
    .addColumn('uuid', 'text', (c) => c.unique())
    .addColumn('number', 'bigint')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('status_since', 'bigint', (c) => c.notNull())
    .addColumn('version', 'bigint', (c) => c.notNull().defaultTo(1))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('severity', 'text', (c) => c.notNull())
    .addColumn('environment', 'text', (c) => c.notNull())
    .addColumn('service', 'text')
    .addColumn('source', 'text')
    .addColumn('alert_url', 'text')
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('thread_ts', 'text')
    .addColumn('requested_by', 'text')
    .addColumn('repeats', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('last_repeat_at', 'bigint')
    .addColumn('recovered_at', 'bigint')
    .addColumn('investigating_since', 'bigint', (c) => c.notNull())
    .addColumn('checked_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('ended_version', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('watched', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('last_action', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  // One open issue per identity, whatever arrives at the same moment.
  await db.schema
    .createIndex('issues_open_identity')
    .unique()
    .on('issues')
    .column('identity')
    .where(sql<boolean>`is_open = 1`)
    .execute();
  await db.schema.createIndex('issues_state').on('issues').columns(['state', 'next_at']).execute();
  await db.schema.createIndex('issues_number').on('issues').column('number').execute();
  await db.schema.createIndex('issues_thread').on('issues').columns(['channel', 'thread_ts']).execute();
  await db.schema
    .createIndex('issues_watched')
    .on('issues')
    .columns(['watched', 'status', 'checked_at'])
    .execute();

  await db.schema
    .createTable('alerts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('ts', 'text', (c) => c.notNull())
    .addColumn('decision', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('format', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text')
    .addColumn('issue_id', 'text', (c) => c.references('issues.id'))
    .addColumn('alert', 'text', (c) => c.notNull())
    .addColumn('decided_at', 'bigint', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('results')
    .addColumn('issue_id', 'text', (c) => c.notNull().references('issues.id'))
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('fetched_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('results_pk', ['issue_id', 'version'])
    .execute();

  await db.schema
    .createTable('conversations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('thread_ts', 'text')
    .addColumn('conversation_id', 'text')
    .addColumn('issue_id', 'text', (c) => c.references('issues.id'))
    .addColumn('started_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('conversations_thread', ['channel', 'thread_ts'])
    .execute();

  await db.schema
    .createTable('questions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('conversation', 'text', (c) => c.notNull().references('conversations.id'))
    .addColumn('asker', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('answer', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('artifacts', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('note', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('questions_state')
    .on('questions')
    .columns(['state', 'conversation', 'created_at'])
    .execute();
  await db.schema.createIndex('questions_asker').on('questions').columns(['asker', 'created_at']).execute();

  await db.schema
    .createTable('outbox')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('issue_id', 'text', (c) => c.references('issues.id'))
    .addColumn('question_id', 'text', (c) => c.references('questions.id'))
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('thread_ts', 'text')
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('priority', 'integer', (c) => c.notNull())
    .addColumn('wanted', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('done', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('next_at', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('sent', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('sending', 'integer')
    .addColumn('error', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('outbox_due').on('outbox').columns(['state', 'next_at', 'priority']).execute();

  await db.schema
    .createTable('audit')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('who', 'text', (c) => c.notNull())
    .addColumn('what', 'text', (c) => c.notNull())
    .addColumn('issue_id', 'text')
    .execute();
}

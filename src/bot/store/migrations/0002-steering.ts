import { type Kysely, sql } from 'kysely';

/** What steers filing: each channel's settings, alerts held back, identities told apart or joined, the pause. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('channels')
    .addColumn('channel', 'text', (c) => c.primaryKey())
    .addColumn('watched', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('settings', 'text', (c) => c.notNull().defaultTo('{}'))
    // Nothing of a channel is shown elsewhere until Slack has said that it is public.
    .addColumn('is_private', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('seen_ts', 'text')
    .addColumn('gap_from', 'text')
    .execute();

  await db.schema
    .createTable('holds')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addColumn('dismissed_by', 'text')
    .execute();
  await db.schema.createIndex('holds_state').on('holds').columns(['state', 'channel']).execute();

  await db.schema
    .createTable('joins')
    .addColumn('identity', 'text', (c) => c.notNull())
    .addColumn('detail', 'text', (c) => c.notNull())
    .addColumn('becomes', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('joins_pk', ['identity', 'detail'])
    .execute();
  await db.schema.createIndex('joins_becomes').on('joins').column('becomes').execute();

  await db.schema
    .createTable('flags')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();

  for (const column of ['identity', 'detail', 'thread_ts', 'sender', 'hold_id', 'outcome'] as const) {
    await db.schema.alterTable('alerts').addColumn(column, 'text').execute();
  }
  await db.schema
    .createIndex('alerts_identity')
    .on('alerts')
    .columns(['identity', 'decision', 'channel', 'decided_at'])
    .execute();
  await db.schema.createIndex('alerts_hold').on('alerts').columns(['hold_id', 'outcome']).execute();
  await db.schema
    .createIndex('alerts_issue')
    .on('alerts')
    .columns(['issue_id', 'channel', 'ts', 'decision'])
    .execute();
  await db.schema.createIndex('alerts_decided').on('alerts').columns(['channel', 'decided_at']).execute();
  await db.schema
    .createIndex('alerts_held')
    .on('alerts')
    .columns(['issue_id', 'hold_id'])
    .where(sql<boolean>`hold_id is not null`)
    .execute();

  for (const column of [
    'raised_severity',
    'status_before',
    'wanted_status',
    'earlier',
    'note',
    'joined_into',
    'apart_from',
  ] as const) {
    await db.schema.alterTable('issues').addColumn(column, 'text').execute();
  }
  await db.schema.alterTable('issues').addColumn('muted_until', 'bigint').execute();
  await db.schema
    .alterTable('outbox')
    .addColumn('delivered_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('issues')
    .addColumn('hidden', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('issues_identity').on('issues').columns(['identity', 'status_since']).execute();
  await db.schema.createIndex('issues_joined').on('issues').column('joined_into').execute();
  await db.schema.createIndex('issues_apart').on('issues').column('apart_from').execute();
  await db.schema.createIndex('outbox_issue').on('outbox').columns(['issue_id', 'kind']).execute();
  await db.schema.createIndex('issues_created').on('issues').column('created_at').execute();
  await db.schema
    .createIndex('issues_wanted')
    .on('issues')
    .column('next_at')
    .where(sql<boolean>`wanted_status is not null`)
    .execute();
  await db.schema
    .createIndex('issues_muted')
    .on('issues')
    .column('muted_until')
    .where(sql<boolean>`muted_until is not null`)
    .execute();
  await db.schema.dropIndex('issues_watched').execute();
  await db.schema
    .createIndex('issues_watched')
    .on('issues')
    .columns(['watched', 'state', 'checked_at'])
    .execute();
}

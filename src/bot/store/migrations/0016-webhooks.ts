import type { Kysely } from 'kysely';

/** Webhooks as they arrived, and the alerts in them until they stand in Slack. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('source', 'text', (c) => c.notNull())
    // SHA-256 of the body: the same one again within minutes is one delivery.
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('headers', 'text', (c) => c.notNull())
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('open'))
    .addColumn('error', 'text')
    .execute();
  await db.schema.createIndex('webhooks_state').on('webhooks').columns(['state', 'next_at']).execute();
  await db.schema
    .createIndex('webhooks_digest')
    .on('webhooks')
    .columns(['source', 'digest', 'received_at'])
    .execute();
  await db.schema.createIndex('webhooks_received').on('webhooks').column('received_at').execute();

  await db.schema
    .createTable('received_alerts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('tool', 'text', (c) => c.notNull())
    .addColumn('identity', 'text')
    .addColumn('reading', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('channel', 'text')
    .addColumn('ts', 'text')
    .addColumn('over_at', 'bigint')
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .addColumn('next_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('received_alerts_state')
    .on('received_alerts')
    .columns(['state', 'next_at'])
    .execute();
  await db.schema
    .createIndex('received_alerts_identity')
    .on('received_alerts')
    .columns(['identity', 'received_at'])
    .execute();
  await db.schema
    .createIndex('received_alerts_message')
    .on('received_alerts')
    .columns(['channel', 'ts'])
    .execute();
  await db.schema
    .createIndex('received_alerts_received')
    .on('received_alerts')
    .column('received_at')
    .execute();
  await db.schema
    .createIndex('received_alerts_source')
    .on('received_alerts')
    .columns(['source', 'over_at', 'received_at'])
    .execute();
}

import type { Kysely } from 'kysely';

/**
 * Each entry of the audit is chained to the one before it. Entries of before, and those that a release without chains
 * writes during a rolling upgrade, are chained by the next one that is added.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('audit').addColumn('seq', 'bigint').execute();
  await db.schema.alterTable('audit').addColumn('hash', 'text').execute();
  await db.schema.createIndex('audit_seq').unique().on('audit').column('seq').execute();
  // One row: the last link, which tells that entries are missing at the end.
  await db.schema
    .createTable('audit_head')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .execute();
}

import { type Kysely, sql } from 'kysely';

/** Issues and conversations know in which organisation of the service they are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('issues')
    .addColumn('organization', 'text', (c) => c.notNull().defaultTo('default'))
    .execute();
  await db.schema
    .createIndex('issues_organization_number')
    .on('issues')
    .columns(['organization', 'number'])
    .execute();
  await db.schema.alterTable('conversations').addColumn('organization', 'text').execute();
  await sql`UPDATE conversations SET organization = 'default' WHERE conversation_id IS NOT NULL`.execute(db);
}

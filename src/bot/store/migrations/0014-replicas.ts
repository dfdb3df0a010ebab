import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** What several replicas on one database need to know of each other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The oldest migration that a program has to know to work with these tables: a release that takes something away
  // raises it, one release after the program has stopped using it.
  await db.schema
    .createTable('compatibility')
    .addColumn('oldest', 'text', (c) => c.notNull())
    .execute();
  await sql`insert into compatibility (oldest) values ('0014-replicas')`.execute(db);

  await db.schema
    .createTable('replicas')
    .addColumn('id', 'text', (c) => c.primaryKey())
    // In the database's time, which is the same for all of them; milliseconds.
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .addColumn('leads', 'integer', (c) => c.notNull())
    // How the one that leads is doing, as JSON; the others show that.
    .addColumn('status', 'text')
    .execute();
  // What only one replica at a time may do, by key.
  await db.schema
    .createTable('leases')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('until', 'bigint', (c) => c.notNull())
    .execute();
  // The replica that handles the delivery; empty where there is only one.
  await db.schema
    .alterTable('inbox')
    .addColumn('owner', 'text', (c) => c.notNull().defaultTo(sql`''`))
    .execute();
  // SQLite orders rows of the same millisecond by their `rowid`, which PostgreSQL does not have.
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    // Text that is no JSON must not end the query that looks into it.
    await sql`
      create or replace function gumshoe_json(value text) returns jsonb language plpgsql immutable parallel safe as $$
      begin return value::jsonb; exception when others then return null; end $$`.execute(db);
    await sql`alter table inbox add column arrival bigint generated always as identity`.execute(db);
  }
}

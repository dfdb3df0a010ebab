import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** How the senders in watched channels write. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const [text, number] = isPostgres ? ['text collate "C"', 'double precision'] : ['text', 'bigint'];
  const statements = [
    `create table sender_messages (
      channel ${text} not null,
      ts ${text} not null,
      sender ${text} not null,
      observation ${text} not null,
      at ${number} not null,
      primary key (channel, ts)
    )`,
    'create index sender_messages_sender on sender_messages (sender, ts)',
    'create index sender_messages_at on sender_messages (at)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** How the senders in watched channels write, and what people said about their kinds of messages. */
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
    `create table sender_kinds (
      sender ${text} not null,
      kind ${text} not null,
      says ${text} not null,
      who ${text} not null,
      at ${number} not null,
      primary key (sender, kind)
    )`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

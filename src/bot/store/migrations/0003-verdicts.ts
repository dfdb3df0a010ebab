import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** What each verdict said, and what became of it: the record of a channel. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const [text, number] = isPostgres ? ['text collate "C"', 'double precision'] : ['text', 'bigint'];
  const statements = [
    `create table verdicts (
      issue_id ${text} primary key,
      version integer not null,
      channel ${text} not null,
      at ${number} not null,
      confidence ${text} not null,
      shown ${text} not null,
      kind ${text},
      said ${text},
      said_by ${text},
      said_at ${number},
      expects ${text},
      check_at ${number},
      outcome ${text},
      outcome_at ${number}
    )`,
    'create index verdicts_channel on verdicts (channel, at)',
    'create index verdicts_kind on verdicts (kind)',
    'create index verdicts_check on verdicts (check_at) where check_at is not null',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Issues with the same cause refer to the first; a ticket's comments are made once, also through a crash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const [text, number] = isPostgres ? ['text collate "C"', 'double precision'] : ['text', 'bigint'];
  const statements = [
    `alter table issues add column cause ${text}`,
    `alter table issues add column same_cause_as ${text}`,
    'create index issues_cause on issues (cause)',
    'create index issues_same_cause on issues (same_cause_as) where same_cause_as is not null',
    `alter table tickets add column wanted_at ${number} not null default 0`,
    `alter table tickets add column sent_at ${number}`,
    'alter table tickets add column said_repeats integer not null default 0',
    `alter table tickets add column quiet_until ${number} not null default 0`,
    `alter table tickets add column saying ${text}`,
    // What fired before is no news at a ticket that is there already.
    'update tickets set said_repeats = (select repeats from issues where issues.id = tickets.issue_id)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Issues of one incident refer to the one that leads it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const statements = [
    `alter table issues add column symptom_of ${isPostgres ? 'text collate "C"' : 'text'}`,
    'update issues set symptom_of = same_cause_as',
    'create index issues_symptom_of on issues (symptom_of) where symptom_of is not null',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

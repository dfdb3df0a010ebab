import pg from 'pg';
import { createDatabase } from './databases.ts';

/** A database without rows: a new one has no tables yet, a reused one has those of its program. */
export interface EmptyDatabase {
  url: string;
  /** For the test's own statements. */
  beside: pg.Pool;
  /** Empties it for the next test. Call it once nothing uses the database any more. */
  giveBack(): Promise<void>;
}

const free: Record<'bot' | 'service', Pick<EmptyDatabase, 'url' | 'beside'>[]> = { bot: [], service: [] };

/** Reuses a database that an earlier test of this worker has given back: creating and migrating one takes longer than most tests. */
export async function takeDatabase(program: 'bot' | 'service'): Promise<EmptyDatabase> {
  const { url, beside } = free[program].pop() ?? (await makeDatabase());
  return {
    url,
    beside,
    giveBack: async () => {
      await beside.query(EMPTY_TABLES);
      free[program].push({ url, beside });
    },
  };
}

async function makeDatabase(): Promise<Pick<EmptyDatabase, 'url' | 'beside'>> {
  const { url } = await createDatabase();
  const beside = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
  beside.on('error', () => undefined);
  return { url, beside };
}

/** In whatever order: nothing is left to refer to. What the migrations wrote stays. */
const EMPTY_TABLES = `do $$ declare t text; begin
  set local session_replication_role = replica;
  for t in select tablename from pg_tables where schemaname = 'public'
    and tablename not similar to '(kysely%|service_migrations%)' loop
    execute format('delete from %I', t);
  end loop; end $$`;

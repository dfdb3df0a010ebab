import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { z } from 'zod';

type Row = Record<string, unknown>;
/** Whose database is meant: its `DATABASE_URL`. */
type Owner = { env: Record<string, string> };

/** The rows that some SQL finds in a program's database, SQLite or PostgreSQL, while it runs. `?` stands for a value. */
export async function rowsOf({ env }: Owner, sql: string, ...values: string[]): Promise<Row[]> {
  const url = env.DATABASE_URL ?? '';
  if (url.startsWith('sqlite:')) {
    using db = open(url.slice('sqlite:'.length));
    return z.array(z.record(z.string(), z.unknown())).parse(db.sqlite.prepare(sql).all(...values));
  }
  const client = new pg.Client({ connectionString: url });
  // Counts are 64 bits wide.
  client.setTypeParser(pg.types.builtins.INT8, Number);
  // As SQLite stores it.
  client.setTypeParser(pg.types.builtins.BOOL, (text) => Number(text === 't'));
  await client.connect();
  try {
    let place = 0;
    const numbered = sql.replaceAll('?', () => {
      place += 1;
      return `$${place}`;
    });
    return (await client.query<Row>(numbered, values)).rows;
  } finally {
    await client.end();
  }
}

/** Every row of every table of a program's database, by table. */
export async function tablesOfProgram(owner: Owner): Promise<Record<string, Row[]>> {
  const names = (owner.env.DATABASE_URL ?? '').startsWith('sqlite:')
    ? "select name from sqlite_master where type = 'table' order by name"
    : "select tablename as name from pg_tables where schemaname = 'public' order by name";
  const tables = z.array(z.object({ name: z.string() })).parse(await rowsOf(owner, names));
  return Object.fromEntries(
    await Promise.all(
      tables.map(async ({ name }) => [name, await rowsOf(owner, `select * from "${name}"`)] as const),
    ),
  );
}

function open(file: string) {
  const sqlite = new Sqlite(file, { readonly: true });
  return { sqlite, [Symbol.dispose]: () => void sqlite.close() };
}

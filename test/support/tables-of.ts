import Sqlite from 'better-sqlite3';

/** Every row of every table in a database file, by table. */
export function tablesOf(file: string): Record<string, unknown[]> {
  const db = new Sqlite(file, { readonly: true });
  try {
    const names = db
      .prepare<[], { name: string }>("select name from sqlite_master where type = 'table' order by name")
      .all();
    return Object.fromEntries(
      names.map(({ name }) => [name, db.prepare<[], unknown>(`select * from "${name}"`).all()]),
    );
  } finally {
    db.close();
  }
}

import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';

type Tables = Record<string, unknown[]>;
type Read = () => Tables;

/** To open a file and to prepare its statements takes longer than to read it, and some tests read it a dozen times. */
const readers = new Map<string, Read>();

/** Every row of every table in a database file, by table. Its tables stay the same while a test runs. */
export function tablesOf(file: string): Tables {
  const read = readers.get(file) ?? readerOf(file);
  return read();
}

function readerOf(file: string): Read {
  const db = new Sqlite(file, { readonly: true });
  const statements = db
    .prepare<[], { name: string }>("select name from sqlite_master where type = 'table' order by name")
    .all()
    .map(({ name }) => [name, db.prepare<[], unknown>(`select * from "${name}"`)] as const);
  const read = () => Object.fromEntries(statements.map(([name, statement]) => [name, statement.all()]));
  readers.set(file, read);
  onTestFinished(() => {
    readers.delete(file);
    db.close();
  });
  return read;
}

import type Sqlite from 'better-sqlite3';
import { z } from 'zod';

/** Of `pragma table_list`: `wr` says that the table has no row ids. */
const Listed = z.object({ name: z.string(), type: z.string(), wr: z.number() });
const Given = z.object({ table: z.string(), column: z.string(), last: z.number() });
const Reference = z.object({ table: z.string() });
/** They are about the database itself, and each has its own. */
const OWN = /^(?:sqlite_|kysely_|compatibility$|replicas$|leases$|allowances$)/u;

/** Every table with rows to move, after those that it refers to. */
export function tablesInOrder(db: Sqlite.Database): string[] {
  const tables = listed(db)
    // A search index is derived from the rows of its table.
    .filter(({ name, type }) => type === 'table' && !OWN.test(name))
    .map(({ name }) => name)
    .sort();
  const ordered: string[] = [];
  const add = (table: string): void => {
    if (ordered.includes(table)) return;
    const references = z.array(Reference).parse(db.pragma(`foreign_key_list("${table}")`));
    for (const { table: other } of references) if (other !== table) add(other);
    ordered.push(table);
  };
  for (const table of tables) add(table);
  return ordered;
}

/** Whether a table's rows can be read in the order of their row ids. */
export function hasRowId(table: string, db: Sqlite.Database): boolean {
  return listed(db).some(({ name, wr }) => name === table && wr === 0);
}

/** The last id of each table whose ids are never given twice, and the column that has them. */
export function givenIds(db: Sqlite.Database): { table: string; column: string; last: number }[] {
  // SQLite makes its table of them with the first table that needs it.
  if (!listed(db).some(({ name }) => name === 'sqlite_sequence')) return [];
  return z.array(Given).parse(
    db
      .prepare(
        `select s.name as "table", c.name as "column", s.seq as last
             from sqlite_sequence s join pragma_table_info(s.name) c on c.pk = 1`,
      )
      .all(),
  );
}

const listed = (db: Sqlite.Database) => z.array(Listed).parse(db.pragma('table_list'));

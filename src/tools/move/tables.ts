import type Sqlite from 'better-sqlite3';
import { z } from 'zod';

const Named = z.object({ name: z.string() });
const Reference = z.object({ table: z.string() });
/** They are about the database itself, and each has its own. */
const OWN = /^(?:sqlite_|kysely_|compatibility$|replicas$|leases$)/u;

/** Every table with rows to move, after those that it refers to. */
export function tablesInOrder(db: Sqlite.Database): string[] {
  const tables = z
    .array(Named)
    .parse(db.prepare("select name from sqlite_schema where type = 'table' order by name").all())
    .map(({ name }) => name)
    .filter((name) => !OWN.test(name));
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

import type Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { type CheckResult, failed, passed } from '../../bot/slack/checks/result.ts';

/** The columns that hold JSON. */
const columns: Record<string, readonly string[]> = {
  alerts: ['alert'],
  artifacts: ['body'],
  channels: ['settings'],
  files: ['what'],
  issues: ['request', 'earlier', 'note', 'last_action'],
  outbox: ['payload', 'sent'],
  questions: ['artifacts', 'files'],
  results: ['body'],
};

const Count = z.object({ rows: z.number() });

/** Whether everything that is stored as JSON can be read as such. */
export function checkKept(db: Sqlite.Database): CheckResult {
  const name = 'stored data';
  const damaged = Object.entries(columns).flatMap(([table, ofTable]) =>
    ofTable
      .filter((column) => isThere(db, table, column))
      .flatMap((column) => {
        const { rows } = damagedIn(db, table, column);
        return rows === 0 ? [] : [`${rows} of ${table}.${column}`];
      }),
  );
  if (damaged.length === 0) return passed(name, 'all of it can be read');
  return failed(
    name,
    `some is corrupt: ${damaged.join(', ')}`,
    'Gumshoe works without it and says so where it matters; restore the latest backup from before the corruption to get it back',
  );
}

function damagedIn(db: Sqlite.Database, table: string, column: string): z.infer<typeof Count> {
  const where = `${column} IS NOT NULL AND NOT json_valid(${column})`;
  return Count.parse(db.prepare(`SELECT count(*) AS rows FROM ${table} WHERE ${where}`).get());
}

/** A database that is still to be brought up to date has fewer. */
function isThere(db: Sqlite.Database, table: string, column: string): boolean {
  const found = db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column);
  return found !== undefined;
}

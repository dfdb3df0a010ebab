import type Sqlite from 'better-sqlite3';
import pg from 'pg';
import { z } from 'zod';
import { OperatorError } from '../../lib/operator-error.ts';
import { connectionOptions } from '../../lib/postgres/pool.ts';
import { type Content, contentOf, type Row, storable } from './checksum.ts';
import { programOf } from './programs.ts';
import { givenIds, hasRowId, tablesInOrder } from './tables.ts';

const ROWS_AT_ONCE = 200;
const CURSOR = 'rowid_';
const Position = z.object({ position: z.coerce.number() });
const Count = z.object({ n: z.coerce.number() });

export interface Move {
  /** The SQLite file, of the bot or of the service, which must not be running. */
  file: string;
  /** Of the PostgreSQL database: empty, or what an interrupted move left. */
  url: string;
  /** Called for each table when it is complete. */
  onTable?: (table: string, content: Content) => void;
  /** Called after each batch. */
  onBatch?: () => Promise<void>;
}

/**
 * Copies everything from a SQLite file, the bot's or the service's, into a PostgreSQL database. What an earlier, interrupted call has copied is not
 * copied again. At the end both hold the same rows, which is checked by counts and checksums.
 *
 * @throws OperatorError in words: the target is not empty, or not the same in the end
 */
export async function move({ file, url, onTable, onBatch }: Move): Promise<void> {
  const program = programOf(file);
  const { source, close } = await program.openFile(file);
  const target = new pg.Client(connectionOptions({ url, applicationName: 'gumshoe move' }));
  target.on('error', () => undefined);
  try {
    await program.makeTables(url);
    await target.connect();
    const tables = tablesInOrder(source);
    await begin(target, file, tables);
    for (const table of tables) {
      await copyTable(table, { source, target, onBatch });
      const content = await compare(table, source, target);
      onTable?.(table, content);
    }
    await continueNumbers(source, target);
    await target.query('drop table moving');
  } finally {
    await target.end().catch(() => undefined);
    await close();
  }
}

/** Notes in the target how far each table is; so a second call knows what the first has done. */
async function begin(target: pg.Client, file: string, tables: readonly string[]): Promise<void> {
  const { rows } = await target.query("select to_regclass('moving') is not null as there");
  if (rows[0]?.there !== true) {
    for (const table of tables) {
      const count = Count.parse((await target.query(`select count(*) as n from "${table}"`)).rows[0]);
      if (count.n > 0) {
        throw new OperatorError(
          `The target is not empty: ${table} has ${count.n} ${count.n === 1 ? 'row' : 'rows'}. Nothing was copied; use an empty database.`,
        );
      }
    }
    await target.query(
      'create table moving (source text not null, name text primary key, position bigint not null)',
    );
    for (const table of tables) {
      await target.query('insert into moving (source, name, position) values ($1, $2, 0)', [file, table]);
    }
  }
  const { rows: others } = await target.query('select source from moving where source <> $1 limit 1', [file]);
  if (others.length > 0) {
    throw new OperatorError(
      `The target holds what was copied of another file (${String(others[0]?.source)}). Finish that, or use an empty database.`,
    );
  }
}

async function copyTable(
  table: string,
  { source, target, onBatch }: { source: Sqlite.Database; target: pg.Client; onBatch: Move['onBatch'] },
): Promise<void> {
  const cursor = hasRowId(table, source) ? 'rowid' : 'row_number() over ()';
  const next = source.prepare<[number, number], Row>(
    `select * from (select ${cursor} as ${CURSOR}, * from "${table}") where ${CURSOR} > ? order by ${CURSOR} limit ?`,
  );
  for (;;) {
    const { position } = Position.parse(
      (await target.query('select position from moving where name = $1', [table])).rows[0],
    );
    const rows = next.all(position, ROWS_AT_ONCE);
    const last = rows.at(-1)?.[CURSOR];
    if (last === undefined) return;
    await target.query('begin');
    try {
      for (const { [CURSOR]: _, ...row } of rows) await insert(table, row, target);
      await target.query('update moving set position = $1 where name = $2', [last, table]);
      await target.query('commit');
    } catch (error) {
      await target.query('rollback').catch(() => undefined);
      throw error;
    }
    await onBatch?.();
  }
}

async function insert(table: string, row: Row, target: pg.Client): Promise<void> {
  const columns = Object.keys(row);
  const names = columns.map((name) => `"${name}"`).join(', ');
  const places = columns.map((_, i) => `$${i + 1}`).join(', ');
  const values = columns.map((name) => storable(row[name]));
  await target.query(`insert into "${table}" (${names}) overriding system value values (${places})`, values);
}

/** The ids that a database gives out continue after the last one given, whether or not its row still exists. */
async function continueNumbers(source: Sqlite.Database, target: pg.Client): Promise<void> {
  for (const { table, column, last } of givenIds(source)) {
    await target.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3)', [
      table,
      column,
      last,
    ]);
  }
}

async function compare(table: string, source: Sqlite.Database, target: pg.Client): Promise<Content> {
  const before = contentOf();
  const columns = new Set<string>();
  for (const row of source.prepare<[], Row>(`select * from "${table}"`).iterate()) {
    for (const name of Object.keys(row)) columns.add(name);
    before.add(row);
  }
  const expected = before.read();
  const found = contentOf();
  if (columns.size > 0) {
    const names = [...columns].map((name) => `"${name}"`).join(', ');
    await target.query('begin read only');
    await target.query(`declare moved no scroll cursor for select ${names} from "${table}"`);
    for (;;) {
      const { rows } = await target.query<Row>(`fetch ${ROWS_AT_ONCE} from moved`);
      for (const row of rows) found.add(row);
      if (rows.length === 0) break;
    }
    await target.query('commit');
  }
  const got = found.read();
  if (got.rows !== expected.rows || got.sum !== expected.sum) {
    throw new OperatorError(
      `${table} is not the same in the target: ${expected.rows} rows with checksum ${expected.sum} in the file, ` +
        `${got.rows} with ${got.sum} there. Empty the target database and move again.`,
    );
  }
  return expected;
}

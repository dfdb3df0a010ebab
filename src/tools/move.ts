import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { z } from 'zod';
import { openSqliteFile } from '../bot/store/dialects/sqlite.ts';
import { openStore as openBotStore } from '../bot/store/open.ts';
import { systemClock } from '../lib/clock.ts';
import { type Command, OperatorError, processIo } from '../lib/io.ts';
import { reasonOf } from '../lib/postgres/errors.ts';
import { connectionOptions } from '../lib/postgres/pool.ts';
import { withoutSecrets } from '../lib/redact.ts';
import { openPostgres } from '../service/store/dialects/postgres.ts';
import { APPLICATION_ID, openSqlite } from '../service/store/dialects/sqlite.ts';

const USAGE = `usage: npm run move -- sqlite:./data/gumshoe.db postgres://user:password@host/database

Copies everything from the file, the bot's or the service's, into an empty PostgreSQL database, and checks it. Stop the
program first. If the copy is interrupted, the same command continues where it was.`;

/** `npm run move`: from SQLite to PostgreSQL. @returns the exit code */
export const moveCommand: Command = withoutSecrets(async ([from = '', to = '', ...more], _env, io) => {
  if (!from.startsWith('sqlite:') || !/^postgres(?:ql)?:/u.test(to) || more.length > 0) {
    io.err(USAGE);
    return 2;
  }
  const file = from.slice('sqlite:'.length);
  if (!existsSync(file)) {
    io.err(`There is no database at ${file}.`);
    return 1;
  }
  try {
    let rows = 0;
    await move({
      file,
      url: to,
      onTable: (table, content) => {
        rows += content.rows;
        io.out(`${table}: ${content.rows} rows, checksum ${content.sum}`);
      },
    });
    io.out(
      `moved ${rows} rows. Set DATABASE_URL to the PostgreSQL URL, start the program, and keep ${file} until you are sure.`,
    );
    return 0;
  } catch (error) {
    io.err(
      error instanceof OperatorError ? error.message : `Could not move the database: ${reasonOf(error)}`,
    );
    return 1;
  }
});

const ROWS_AT_ONCE = 200;
const CURSOR = 'rowid_';
const Position = z.object({ position: z.coerce.number() });
const Count = z.object({ n: z.coerce.number() });

interface Move {
  /** The SQLite file, of the bot or of the service, which must not be running. */
  file: string;
  /** Of the PostgreSQL database: empty, or what an interrupted move left. */
  url: string;
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

/** A program whose database is moved. */
interface Program {
  /** What people call it. */
  name: string;
  /** Opens the file for this process alone, brought up to date. @throws OperatorError in words: held by another process, damaged … */
  openFile(file: string): Promise<{ source: Sqlite.Database; close(): Promise<void> }>;
  /** Makes the tables, if they are not there yet. @throws OperatorError in words for the operator */
  makeTables(url: string): Promise<void>;
}

/** In the header of a SQLite file: https://www.sqlite.org/fileformat.html. */
const APPLICATION_ID_OFFSET = 68;

const onConnectionLost = (): void => undefined;

const bot: Program = {
  name: 'Gumshoe',
  openFile: async (file) => {
    const opened = await openSqliteFile({ file, clock: systemClock });
    const source = new Sqlite(file, { readonly: true });
    return {
      source,
      close: async () => {
        source.close();
        await opened.close();
      },
    };
  },
  makeTables: async (url) => {
    const store = await openBotStore({ url, clock: systemClock, random: Math.random, onConnectionLost });
    await store.close();
  },
};

const service: Program = {
  name: 'the investigation service',
  openFile: async (file) => {
    await openSqlite(file).close();
    const source = new Sqlite(file);
    source.pragma('locking_mode = EXCLUSIVE');
    // The lock is taken by the first transaction, and kept until the file is closed.
    source.transaction(() => undefined).exclusive();
    return { source, close: async () => void source.close() };
  },
  makeTables: async (url) => {
    const opened = await openPostgres({ url, directUrl: url, onConnectionLost });
    await opened.close();
  },
};

/** Whose database a SQLite file is; read from its header, so that a program that has the file open is no hindrance. */
function programOf(file: string): Program {
  const id = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, id, 0, id.length, APPLICATION_ID_OFFSET);
  } finally {
    closeSync(descriptor);
  }
  return id.readUInt32BE() === APPLICATION_ID ? service : bot;
}

/** Of `pragma table_list`: `wr` says that the table has no row ids. */
const Listed = z.object({ name: z.string(), type: z.string(), wr: z.number() });
const Given = z.object({ table: z.string(), column: z.string(), last: z.number() });
const Reference = z.object({ table: z.string() });
/** They are about the database itself, and each has its own. */
const OWN = /^(?:sqlite_|kysely_|replicas$|leases$|allowances$)/u;

/** Every table with rows to move, after those that it refers to. */
function tablesInOrder(db: Sqlite.Database): string[] {
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
function hasRowId(table: string, db: Sqlite.Database): boolean {
  return listed(db).some(({ name, wr }) => name === table && wr === 0);
}

/** The last id of each table whose ids are never given twice, and the column that has them. */
function givenIds(db: Sqlite.Database): { table: string; column: string; last: number }[] {
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

type Row = Record<string, unknown>;

/** What a table holds, in whatever order: how many rows, and a sum over them. */
interface Content {
  rows: number;
  sum: string;
}

/** Adds up rows as they come; two tables with the same rows have the same sum. */
function contentOf(): { add(row: Row): void; read(): Content } {
  let rows = 0;
  let sum = 0n;
  return {
    add: (row) => {
      rows += 1;
      const columns = Object.keys(row).sort();
      const text = JSON.stringify(columns.map((column) => [column, storable(row[column])]));
      sum = BigInt.asUintN(64, sum + createHash('sha256').update(text).digest().readBigUInt64BE());
    },
    read: () => ({ rows, sum: sum.toString(16).padStart(16, '0') }),
  };
}

/** As PostgreSQL keeps a value: its text has no U+0000, and no half of a surrogate pair. */
function storable(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;
}

if (import.meta.main) process.exitCode = await moveCommand(process.argv.slice(2), process.env, processIo);

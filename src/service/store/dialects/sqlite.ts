import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { lockFile } from '../../../lib/file-lock.ts';
import { makeFolder, OperatorError } from '../../../lib/io.ts';
import { keepPrepared } from '../../../lib/prepared-statements.ts';
import type { Conditions, Dialect, OpenedDatabase, ReadIssues } from '../database.ts';
import { isFound, meets, readIssues } from '../issues.ts';
import { ISSUE_COLUMNS, type Query, type Tables } from '../tables.ts';
import { MIGRATIONS, statementsOf } from './migrations.ts';

/** Distinguishes the service's file from other SQLite files; `GSvc` in ASCII. */
export const APPLICATION_ID = 0x47537663;

/** The version of the first migration; 1 and 2 had other tables. */
const FIRST_VERSION = 3;
/** Incremented with each migration. */
const SCHEMA_VERSION = FIRST_VERSION + Object.keys(MIGRATIONS).length - 1;

/** A statement as SQLite writes it. Its indexes end in the id by themselves. */
function written(statement: string): string {
  return statement
    .replaceAll(/\bidentity\b/gu, 'integer primary key autoincrement')
    .replaceAll(/ ordered\b/gu, '')
    .replace(/\bdefault now$/u, 'default 0')
    .replace(
      /^create table (\w+) .*\)$/su,
      (table, name: string) => `${table} strict${KEYED.includes(name) ? ', without rowid' : ''}`,
    );
}

/** Tables that are read by their key alone. */
const KEYED = ['counters', 'turns'];

/** What only SQLite has. */
const BESIDE: Readonly<Record<string, string>> = {
  // The folded texts, for searches of three characters or more.
  '0001-tables': `DROP INDEX conversationsByOrganisation;
    CREATE VIRTUAL TABLE search USING fts5(
      title, description, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
    );
    CREATE TRIGGER searchForgets AFTER DELETE ON issues BEGIN
      DELETE FROM search WHERE rowid = old.id;
    END;
    PRAGMA application_id = ${APPLICATION_ID};`,
  '0004-age-of-artifacts': 'UPDATE artifacts SET addedAt = unixepoch() * 1000;',
  '0006-organization': `DROP INDEX issuesByOrganisation;
    CREATE INDEX issuesByOrganization ON issues (organization);`,
};

/** What leads from each version to the next; the first from an empty file. */
const STEPS = Object.entries(MIGRATIONS).map(
  ([name, migration]) => `${statementsOf(migration, written).join(';\n')};\n${BESIDE[name] ?? ''}`,
);

/** How long to wait for another process to exit. */
const LOCK_TIMEOUT_MS = 2000;

/** The file cannot be used by the service; the message says why, and what to do. */
class UnusableFileError extends OperatorError {
  override name = 'UnusableFileError';
}

/**
 * Opens the service's database; creates its folder (mode 700), file (mode 600) and tables if missing. Only one process
 * can have the file open; its lock ends with the process in any case.
 *
 * @param file `:memory:` works too
 * @throws UnusableFileError in words for the operator
 */
export function openSqlite(file: string): OpenedDatabase {
  const { sqlite, release } = connect(file);
  const query = new Kysely<Tables>({ dialect: new SqliteDialect({ database: keepPrepared(sqlite) }) });
  // There is only one connection, so its user sees no concurrent changes.
  const transaction = <T>(work: (query: Query) => Promise<T>) =>
    query.transaction().execute((trx) => work(trx));
  return {
    query,
    dialect: sqliteDialect,
    transaction,
    snapshot: transaction,
    listen: () => ({ stop: async () => undefined }),
    problem: async () => {
      try {
        // Writes the same value, changing nothing.
        await transaction((trx) => sql.raw(`PRAGMA user_version = ${SCHEMA_VERSION}`).execute(trx));
        return null;
      } catch {
        return 'cannot write to the database: check free disk space';
      }
    },
    close: async () => {
      await query.destroy();
      // Kysely leaves a connection open if no query used it.
      if (sqlite.open) sqlite.close();
      release();
    },
  };
}

const sqliteDialect: Dialect = {
  isShared: false,
  leaseUntil: sql<null>`NULL`,
  // Only one process has the file: any previous owner of a version is gone.
  isFree: (owner) => sql<boolean>`(owner IS NULL OR owner <> ${owner})`,
  notify: async () => undefined,
  // There is one transaction at a time.
  lock: async () => undefined,
  contains: (column, text) => sql<boolean>`instr(${column}, ${text}) > 0`,
  findings: {
    rootCauseSummary: sql<string | null>`findings ->> '$.rootCause.rootCauseSummary'`,
    actions: sql<string>`(SELECT json_group_array(value ->> '$.title')
      FROM json_each(findings, '$.remediation.actions'))`,
  },
  index: async (query, { id, foldedTitle, foldedDescription }) => {
    await sql`INSERT INTO search (rowid, title, description)
      VALUES (${id}, ${foldedTitle}, ${foldedDescription})`.execute(query);
  },
  search: (query, conditions, search) => searchSqlite(query, sqliteDialect, conditions, search),
};

function connect(file: string): { sqlite: Sqlite.Database; release: () => void } {
  const onDisk = file !== ':memory:';
  if (onDisk) makeFolder(dirname(file), 0o700);
  const release = onDisk ? lock(file) : () => undefined;
  const db = new Sqlite(file);
  try {
    if (onDisk) chmodSync(file, 0o600);
    db.transaction(() => prepare(db, file)).exclusive();
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    // The first read creates the log: do it now, while nobody is waiting.
    db.prepare('SELECT 1 FROM sqlite_schema').get();
    return { sqlite: db, release };
  } catch (error) {
    db.close();
    release();
    throw error instanceof Sqlite.SqliteError ? explained(error, file) : error;
  }
}

function lock(file: string): () => void {
  try {
    const held = lockFile(file, LOCK_TIMEOUT_MS);
    if (held !== null) return held.release;
  } catch (error) {
    throw new UnusableFileError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  throw new UnusableFileError(`${file} is in use by another process: stop it, or use another file`);
}

function prepare(db: Sqlite.Database, file: string): void {
  const application = Number(db.pragma('application_id', { simple: true }));
  const version = Number(db.pragma('user_version', { simple: true }));
  if (application === APPLICATION_ID) {
    if (version >= FIRST_VERSION && version <= SCHEMA_VERSION) {
      upgrade(db, version);
      return;
    }
    throw new UnusableFileError(
      `${file} has schema version ${version}, but this program needs ${SCHEMA_VERSION}: run the version that wrote it, or use another file`,
    );
  }
  if (application !== 0 || version !== 0 || db.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined) {
    throw new UnusableFileError(`${file} belongs to another program: use a file of the service's own`);
  }
  upgrade(db, FIRST_VERSION - 1);
}

function upgrade(db: Sqlite.Database, version: number): void {
  for (const [i, step] of STEPS.entries())
    if (FIRST_VERSION + i > version) db.exec(`${step} PRAGMA user_version = ${FIRST_VERSION + i};`);
}

function explained(error: Error & { code: string }, file: string): Error {
  const message = error.code.startsWith('SQLITE_BUSY')
    ? `${file} is in use by another process: stop it, or use another file`
    : error.code === 'SQLITE_NOTADB'
      ? `${file} is not a SQLite file: use another one`
      : `${file} could not be opened: ${error.message}`;
  return new UnusableFileError(message, { cause: error });
}

/** The text index (FTS5); its rows are issues. */
type SearchTable = {
  search: { rowid: number; title: string; description: string };
};

/** This few issues are faster to scan than to find by the text index, which ignores the other filters. */
const FEW = 200;

/** Finds issues by the text index, if that is worthwhile. */
async function searchSqlite(
  query: Query,
  { contains }: Pick<Dialect, 'contains'>,
  conditions: Conditions,
  search: string,
): Promise<ReadIssues> {
  if ([...search].length < INDEXED_LENGTH || (await areFew(query, conditions)))
    return readIssues(query, { contains }, conditions, search);
  const phrase = await phraseFor(query, search);
  return (beyond, id, limit) =>
    // A cross join keeps the index outermost: it yields results in order, so that a page ends early.
    query
      .$extendTables<SearchTable>()
      .selectFrom('search')
      .crossJoin('issues')
      .select(ISSUE_COLUMNS)
      .whereRef('issues.id', '=', 'search.rowid')
      .where(sql<boolean>`search MATCH ${phrase}`)
      .where(meets(conditions))
      .where(isFound(contains, search))
      // Numbers are bound as REAL, and the text index seeks by integers only.
      .where('search.rowid', beyond, sql<number>`CAST(${id} AS INTEGER)`)
      .orderBy('search.rowid', beyond === '>' ? 'asc' : 'desc')
      .limit(limit)
      .execute();
}

async function areFew(query: Query, conditions: Conditions): Promise<boolean> {
  const { found } = await query
    .selectFrom((eb) =>
      eb.selectFrom('issues').select('issues.id').where(meets(conditions)).limit(FEW).as('some'),
    )
    .select(({ fn }) => fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow();
  return found < FEW;
}

/** The text index consists of runs of this many characters; shorter searches cannot use it. */
const INDEXED_LENGTH = 3;

/** A run that occurs in fewer issues than this is worth looking up alone. */
const RARE = 200;
/** Longer searches are compared by their beginning. */
const LONGEST = 100;

/**
 * The phrase to look up in the text index for a search (folded, at least `INDEXED_LENGTH` characters): its longest part
 * whose runs are all rare, else all of it. The index visits every issue that has a run of the phrase, so a run that
 * every issue has (`gumshoe-` of `gumshoe-7a3f`) costs more with every issue. Finds by a part must still be compared
 * with the whole.
 */
export async function phraseFor(query: Query, search: string): Promise<string> {
  const characters = [...search];
  const runs = characters
    .slice(0, LONGEST)
    .slice(INDEXED_LENGTH - 1)
    .map((_, i) => characters.slice(i, i + INDEXED_LENGTH).join(''));
  const rare: boolean[] = [];
  for (const run of runs) rare.push(await isRare(query, run));
  let [from, length] = [0, 0];
  for (let begin = 0; begin < rare.length; begin++) {
    let end = begin;
    while (rare[end]) end++;
    if (end - begin > length) [from, length] = [begin, end - begin];
    begin = end;
  }
  if (length === 0) return quoted(search);
  return quoted(characters.slice(from, from + length - 1 + INDEXED_LENGTH).join(''));
}

async function isRare(query: Query, run: string): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`SELECT count(*) AS found
    FROM (SELECT 1 FROM search WHERE search MATCH ${quoted(run)} LIMIT ${RARE})`.execute(query);
  return (rows[0]?.found ?? RARE) < RARE;
}

/** A literal phrase in the index's query language. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

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

/** Incremented with each change of the tables below; 1 and 2 had other tables. */
const SCHEMA_VERSION = 11;

/** Requests to the model. Until version 8 the column was called `organisation`, in this table and in four others. */
const modelRequests = (organization: string) => `CREATE TABLE modelRequests (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  ${organization} TEXT NOT NULL,
  issue INTEGER,
  purpose TEXT NOT NULL,
  model TEXT NOT NULL,
  host TEXT NOT NULL,
  reserved INTEGER NOT NULL,
  tokens INTEGER,
  ms INTEGER,
  outcome TEXT,
  digest TEXT NOT NULL,
  payload TEXT
) STRICT;
CREATE INDEX modelRequestsByTime ON modelRequests (at);
`;

/** What is known of the inside of the configured databases. */
const FINGERPRINTS = `CREATE TABLE fingerprints (
  database TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
`;

/** By the version that they start from; each only adds or renames. */
const UPGRADES: Readonly<Record<number, string>> = {
  3: 'ALTER TABLE changes ADD COLUMN contents TEXT;',
  4: `ALTER TABLE versions ADD COLUMN againAt INTEGER;
    CREATE INDEX versionsAgain ON versions (againAt) WHERE againAt IS NOT NULL;`,
  5: `ALTER TABLE artifacts ADD COLUMN addedAt INTEGER NOT NULL DEFAULT 0;
    UPDATE artifacts SET addedAt = unixepoch() * 1000;`,
  6: `ALTER TABLE issues ADD COLUMN visibility TEXT;
    ${modelRequests('organisation')}`,
  7: `${['counters', 'issues', 'artifacts', 'conversations', 'modelRequests'].map((table) => `ALTER TABLE ${table} RENAME COLUMN organisation TO organization;`).join('\n')}
    DROP INDEX issuesByOrganisation;
    CREATE INDEX issuesByOrganization ON issues (organization);`,
  8: `ALTER TABLE issues ADD COLUMN agreedModel TEXT;
    ALTER TABLE turns ADD COLUMN visibility TEXT;
    ALTER TABLE turns ADD COLUMN agreedModel TEXT;`,
  9: FINGERPRINTS,
  10: 'ALTER TABLE turns ADD COLUMN subject TEXT;',
};

/** Distinguishes the service's file from other SQLite files; `GSvc` in ASCII. */
export const APPLICATION_ID = 0x47537663;

/** Creates every table in an empty file. */
const SCHEMA = `CREATE TABLE changes (
  id TEXT PRIMARY KEY,
  -- The same for what is sent again.
  digest TEXT NOT NULL,
  at INTEGER NOT NULL,
  service TEXT NOT NULL,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  version TEXT,
  url TEXT,
  contents TEXT
) STRICT;
CREATE INDEX changesByTime ON changes (at);
CREATE INDEX changesByDigest ON changes (digest, at);

CREATE TABLE counters (
  organization TEXT PRIMARY KEY,
  lastNumber INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE issues (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  organization TEXT NOT NULL,
  number INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  severity TEXT NOT NULL,
  status TEXT NOT NULL,
  environment TEXT NOT NULL,
  triggeredAt INTEGER NOT NULL,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  context TEXT NOT NULL,
  visibility TEXT,
  agreedModel TEXT,
  foldedTitle TEXT NOT NULL,
  foldedDescription TEXT NOT NULL,
  UNIQUE (organization, number)
) STRICT;
-- Every index ends in the id, which is the order of lists.
CREATE INDEX issuesByOrganization ON issues (organization);
CREATE INDEX issuesByStatus ON issues (organization, status);
CREATE INDEX issuesByEnvironment ON issues (organization, environment);
CREATE INDEX issuesByBoth ON issues (organization, status, environment);

-- The folded texts, for searches of three characters or more.
CREATE VIRTUAL TABLE search USING fts5(
  title, description, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER searchForgets AFTER DELETE ON issues BEGIN
  DELETE FROM search WHERE rowid = old.id;
END;

CREATE TABLE seeds (
  publicUuid TEXT PRIMARY KEY,
  issue TEXT NOT NULL REFERENCES issues (uuid) ON DELETE CASCADE,
  seedType TEXT NOT NULL,
  provider TEXT NOT NULL,
  providerReferenceId TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  tags TEXT NOT NULL,
  triggeredAt INTEGER NOT NULL,
  link TEXT NOT NULL,
  query TEXT NOT NULL,
  rawPayload TEXT NOT NULL
) STRICT;
CREATE INDEX seedsByIssue ON seeds (issue);

CREATE TABLE versions (
  uuid TEXT PRIMARY KEY,
  issue TEXT NOT NULL REFERENCES issues (uuid) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  description TEXT NOT NULL,
  sessionUuid TEXT NOT NULL,
  startedAt INTEGER NOT NULL,
  findings TEXT,
  owner TEXT,
  leaseUntil INTEGER,
  againAt INTEGER,
  UNIQUE (issue, version)
) STRICT;
CREATE INDEX versionsRunning ON versions (startedAt) WHERE status = 'RUNNING';
CREATE INDEX versionsAgain ON versions (againAt) WHERE againAt IS NOT NULL;

CREATE TABLE artifacts (
  id TEXT PRIMARY KEY,
  organization TEXT NOT NULL,
  version TEXT REFERENCES versions ON DELETE CASCADE,
  body TEXT NOT NULL,
  addedAt INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX artifactsByVersion ON artifacts (version);

CREATE TABLE conversations (
  uuid TEXT PRIMARY KEY,
  organization TEXT NOT NULL,
  createdAt INTEGER NOT NULL
) STRICT;

CREATE TABLE turns (
  conversation TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE,
  position INTEGER NOT NULL,
  question TEXT NOT NULL,
  answer TEXT NOT NULL,
  askedAt INTEGER NOT NULL,
  visibility TEXT,
  agreedModel TEXT,
  subject TEXT,
  PRIMARY KEY (conversation, position)
) STRICT, WITHOUT ROWID;

${modelRequests('organization')}
${FINGERPRINTS}
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};
`;

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
    for (let from = version; from < SCHEMA_VERSION; from++) {
      const upgrade = UPGRADES[from];
      if (upgrade === undefined) break;
      db.exec(`${upgrade} PRAGMA user_version = ${from + 1};`);
    }
    if (Number(db.pragma('user_version', { simple: true })) === SCHEMA_VERSION) return;
    throw new UnusableFileError(
      `${file} has schema version ${version}, but this program needs ${SCHEMA_VERSION}: run the version that wrote it, or use another file`,
    );
  }
  if (application !== 0 || version !== 0 || db.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined) {
    throw new UnusableFileError(`${file} belongs to another program: use a file of the service's own`);
  }
  db.exec(SCHEMA);
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

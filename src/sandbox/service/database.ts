import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

export type Connection = Database.Database;

const SCHEMA_VERSION = 1;

const SCHEMA = `
CREATE TABLE counters (
  organisation TEXT PRIMARY KEY,
  lastNumber INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE issues (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  organisation TEXT NOT NULL,
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
  foldedTitle TEXT NOT NULL,
  foldedDescription TEXT NOT NULL,
  UNIQUE (organisation, number)
) STRICT;
-- Every index ends in the id, which is the order of lists.
CREATE INDEX issuesByOrganisation ON issues (organisation);
CREATE INDEX issuesByStatus ON issues (organisation, status);
CREATE INDEX issuesByEnvironment ON issues (organisation, environment);
CREATE INDEX issuesByBoth ON issues (organisation, status, environment);

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
  UNIQUE (issue, version)
) STRICT;
CREATE INDEX versionsRunning ON versions (startedAt) WHERE status = 'RUNNING';

CREATE TABLE artifacts (
  id TEXT PRIMARY KEY,
  organisation TEXT NOT NULL,
  version TEXT REFERENCES versions ON DELETE CASCADE,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX artifactsByVersion ON artifacts (version);

CREATE TABLE conversations (
  uuid TEXT PRIMARY KEY,
  organisation TEXT NOT NULL,
  createdAt INTEGER NOT NULL
) STRICT;

CREATE TABLE turns (
  conversation TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE,
  position INTEGER NOT NULL,
  question TEXT NOT NULL,
  answer TEXT NOT NULL,
  askedAt INTEGER NOT NULL,
  PRIMARY KEY (conversation, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE faults (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  service TEXT NOT NULL,
  startsAt INTEGER NOT NULL,
  endsAt INTEGER NOT NULL
) STRICT;

PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** The file was written by a version of the program that this one does not know. */
class UnknownSchemaError extends Error {
  override name = 'UnknownSchemaError';

  constructor(file: string, version: number) {
    super(
      `${file} has schema ${version}, this program knows ${SCHEMA_VERSION}: use the program that wrote it, or another file`,
    );
  }
}

/** Opens the service's database; makes its folder (mode 700), file (mode 600) and tables where missing. */
export function openDatabase(file: string): Connection {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const db = new Database(file);
  try {
    if (file !== ':memory:') chmodSync(file, 0o600);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('busy_timeout = 5000');
    db.pragma('foreign_keys = ON');
    prepare(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepare(db: Connection, file: string): void {
  db.transaction(() => {
    const version = Number(db.pragma('user_version', { simple: true }));
    if (version === 0) db.exec(SCHEMA);
    else if (version !== SCHEMA_VERSION) throw new UnknownSchemaError(file, version);
  }).immediate();
}

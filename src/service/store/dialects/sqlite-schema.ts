/** Incremented with each change of the tables below. */
export const SCHEMA_VERSION = 3;

/** Distinguishes the service's file from other SQLite files; `GSvc` in ASCII. */
export const APPLICATION_ID = 0x47537663;

const CHANGES = `CREATE TABLE changes (
  id TEXT PRIMARY KEY,
  -- The same for what is sent again.
  digest TEXT NOT NULL,
  at INTEGER NOT NULL,
  service TEXT NOT NULL,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  version TEXT,
  url TEXT
) STRICT;
CREATE INDEX changesByTime ON changes (at);
CREATE INDEX changesByDigest ON changes (digest, at);
`;

/** Upgrades a file to the next version, by the older version. */
export const MIGRATIONS: Readonly<Record<number, string>> = {
  1: `${CHANGES}PRAGMA user_version = 2;`,
  2: `ALTER TABLE versions ADD COLUMN owner TEXT;
    ALTER TABLE versions ADD COLUMN leaseUntil INTEGER;
    PRAGMA user_version = 3;`,
};

/** Creates every table in an empty file. */
export const SCHEMA = `${CHANGES}
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
  owner TEXT,
  leaseUntil INTEGER,
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

PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};
`;

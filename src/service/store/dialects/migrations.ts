/*
 * The tables of both databases, and how they came about. A released migration is never changed. Each dialect has its own
 * word for a `text`, an `integer` and the `identity` of a row; `ordered` ends an index in the id, which is the order of
 * lists, where the database does not do so by itself.
 */

const TABLES = `
create table changes (
  id text primary key,
  -- The same for what is sent again.
  digest text not null,
  at integer not null,
  service text not null,
  kind text not null,
  title text not null,
  version text,
  url text
);
create index changesByTime on changes (at);
create index changesByDigest on changes (digest, at);
create table counters (organisation text primary key, lastNumber integer not null);
create table issues (
  id identity,
  uuid text not null unique,
  organisation text not null,
  number integer not null,
  title text not null,
  description text not null,
  severity text not null,
  status text not null,
  environment text not null,
  triggeredAt integer not null,
  createdAt integer not null,
  updatedAt integer not null,
  context text not null,
  foldedTitle text not null,
  foldedDescription text not null,
  unique (organisation, number)
);
create index issuesByOrganisation on issues (organisation ordered);
create index issuesByStatus on issues (organisation, status ordered);
create index issuesByEnvironment on issues (organisation, environment ordered);
create index issuesByBoth on issues (organisation, status, environment ordered);
create table seeds (
  publicUuid text primary key,
  issue text not null references issues (uuid) on delete cascade,
  seedType text not null,
  provider text not null,
  providerReferenceId text not null,
  title text not null,
  description text not null,
  tags text not null,
  triggeredAt integer not null,
  link text not null,
  query text not null,
  rawPayload text not null
);
create index seedsByIssue on seeds (issue);
create table versions (
  uuid text primary key,
  issue text not null references issues (uuid) on delete cascade,
  version integer not null,
  status text not null,
  description text not null,
  sessionUuid text not null,
  startedAt integer not null,
  findings text,
  owner text,
  leaseUntil integer,
  unique (issue, version)
);
create index versionsRunning on versions (startedAt) where status = 'RUNNING';
create table artifacts (
  id text primary key,
  organisation text not null,
  version text references versions on delete cascade,
  body text not null
);
create index artifactsByVersion on artifacts (version);
create table conversations (uuid text primary key, organisation text not null, createdAt integer not null);
create index conversationsByOrganisation on conversations (organisation);
create table turns (
  conversation text not null references conversations on delete cascade,
  position integer not null,
  question text not null,
  answer text not null,
  askedAt integer not null,
  primary key (conversation, position)
)`;

/** By name, in order; each only adds or renames. */
export const MIGRATIONS = {
  '0001-tables': TABLES,
  '0002-change-contents': 'alter table changes add column contents text',
  '0003-again': `alter table versions add column againAt integer;
    create index versionsAgain on versions (againAt) where againAt is not null`,
  '0004-age-of-artifacts': 'alter table artifacts add column addedAt integer not null default now',
  '0005-model': `alter table issues add column visibility text;
    create table modelRequests (
      id text primary key,
      at integer not null,
      organisation text not null,
      issue integer,
      purpose text not null,
      model text not null,
      host text not null,
      reserved integer not null,
      tokens integer,
      ms integer,
      outcome text,
      digest text not null,
      payload text
    );
    create index modelRequestsByTime on modelRequests (at)`,
  '0006-organization': ['counters', 'issues', 'artifacts', 'conversations', 'modelRequests']
    .map((table) => `alter table ${table} rename column organisation to organization`)
    .join(';'),
  '0007-agreed-model': `alter table issues add column agreedModel text;
    alter table turns add column visibility text;
    alter table turns add column agreedModel text`,
  '0008-fingerprints':
    'create table fingerprints (database text primary key, at integer not null, body text not null)',
  '0009-subject': 'alter table turns add column subject text',
} as const;

export function statementsOf(migration: string, written: (statement: string) => string): string[] {
  return migration.split(';').map((statement) => written(statement.replaceAll(/^\s*--.*$/gmu, '').trim()));
}

import { type Kysely, sql } from 'kysely';

/** The same as in SQLite (`../sqlite-schema.ts`). Text is compared by bytes, as in SQLite. */
const STATEMENTS = [
  // The last migration of the oldest program that can still use the tables. A migration that removes something advances
  // it.
  `create table compatibility (oldest text collate "C" not null)`,
  `insert into compatibility values ('0001-tables')`,

  `create table changes (
    id text collate "C" primary key,
    -- The same for what is sent again.
    digest text collate "C" not null,
    at bigint not null,
    service text collate "C" not null,
    kind text collate "C" not null,
    title text collate "C" not null,
    version text collate "C",
    url text collate "C"
  )`,
  `create index "changesByTime" on changes (at)`,
  `create index "changesByDigest" on changes (digest, at)`,

  `create table counters (
    organisation text collate "C" primary key,
    "lastNumber" bigint not null
  )`,

  `create table issues (
    id bigint generated always as identity primary key,
    uuid text collate "C" not null unique,
    organisation text collate "C" not null,
    number bigint not null,
    title text collate "C" not null,
    description text collate "C" not null,
    severity text collate "C" not null,
    status text collate "C" not null,
    environment text collate "C" not null,
    "triggeredAt" bigint not null,
    "createdAt" bigint not null,
    "updatedAt" bigint not null,
    context text collate "C" not null,
    "foldedTitle" text collate "C" not null,
    "foldedDescription" text collate "C" not null,
    unique (organisation, number)
  )`,
  // Every index ends in the id, the order of lists.
  `create index "issuesByOrganisation" on issues (organisation, id)`,
  `create index "issuesByStatus" on issues (organisation, status, id)`,
  `create index "issuesByEnvironment" on issues (organisation, environment, id)`,
  `create index "issuesByBoth" on issues (organisation, status, environment, id)`,

  `create table seeds (
    "publicUuid" text collate "C" primary key,
    issue text collate "C" not null references issues (uuid) on delete cascade,
    "seedType" text collate "C" not null,
    provider text collate "C" not null,
    "providerReferenceId" text collate "C" not null,
    title text collate "C" not null,
    description text collate "C" not null,
    tags text collate "C" not null,
    "triggeredAt" bigint not null,
    link text collate "C" not null,
    query text collate "C" not null,
    "rawPayload" text collate "C" not null
  )`,
  `create index "seedsByIssue" on seeds (issue)`,

  `create table versions (
    uuid text collate "C" primary key,
    issue text collate "C" not null references issues (uuid) on delete cascade,
    version bigint not null,
    status text collate "C" not null,
    description text collate "C" not null,
    "sessionUuid" text collate "C" not null,
    "startedAt" bigint not null,
    findings text collate "C",
    owner text collate "C",
    "leaseUntil" bigint,
    unique (issue, version)
  )`,
  `create index "versionsRunning" on versions ("startedAt") where status = 'RUNNING'`,

  `create table artifacts (
    id text collate "C" primary key,
    organisation text collate "C" not null,
    version text collate "C" references versions on delete cascade,
    body text collate "C" not null
  )`,
  `create index "artifactsByVersion" on artifacts (version)`,

  `create table conversations (
    uuid text collate "C" primary key,
    organisation text collate "C" not null,
    "createdAt" bigint not null
  )`,

  `create table turns (
    conversation text collate "C" not null references conversations on delete cascade,
    position bigint not null,
    question text collate "C" not null,
    answer text collate "C" not null,
    "askedAt" bigint not null,
    primary key (conversation, position)
  )`,
  `create index "conversationsByOrganisation" on conversations (organisation)`,

  // For searches. The extension comes with PostgreSQL, but not in every package, and not everybody may create it:
  // without it, searches scan every issue, with the same results.
  `do $$ begin
    create extension if not exists pg_trgm;
    create index "issuesByText" on issues
      using gin ("foldedTitle" gin_trgm_ops, "foldedDescription" gin_trgm_ops);
  exception
    when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then null;
  end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

import { Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { systemClock, withTimeout } from '../../../lib/clock.ts';
import { OperatorError } from '../../../lib/io.ts';
import { createPostgresDialect, runTransaction } from '../../../lib/postgres/dialect.ts';
import { codeOf, connectionProblem, databaseName, reasonOf } from '../../../lib/postgres/errors.ts';
import { createListener } from '../../../lib/postgres/listener.ts';
import { createPool } from '../../../lib/postgres/pool.ts';
import type { Dialect, OpenedDatabase } from '../database.ts';
import { readIssues } from '../issues.ts';
import type { Query, Tables } from '../tables.ts';
import { MIGRATIONS, statementsOf } from './migrations.ts';

/** A statement as PostgreSQL writes it. Text is compared by bytes, as in SQLite. */
function written(statement: string): string {
  return statement
    .replaceAll(/\b[a-z]+[A-Z]\w*/gu, '"$&"')
    .replaceAll(/\btext\b/gu, 'text collate "C"')
    .replaceAll(/\binteger\b/gu, 'bigint')
    .replaceAll(/\bidentity\b/gu, 'bigint generated always as identity primary key')
    .replaceAll(/ ordered\b/gu, ', id')
    .replace(/\bdefault now$/u, 'default (extract(epoch from now()) * 1000)::bigint');
}

/** What only PostgreSQL has. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  // For searches. The extension comes with PostgreSQL, but not in every package, and not everybody may create it:
  // without it, searches scan every issue, with the same results.
  '0001-tables': [
    `do $$ begin
      create extension if not exists pg_trgm;
      create index "issuesByText" on issues
        using gin ("foldedTitle" gin_trgm_ops, "foldedDescription" gin_trgm_ops);
    exception
      when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then null;
    end $$`,
  ],
  '0006-organization': [
    'alter index "issuesByOrganisation" rename to "issuesByOrganization"',
    'alter index "conversationsByOrganisation" rename to "conversationsByOrganization"',
  ],
};

const migrations: Record<string, Migration> = Object.fromEntries(
  Object.entries(MIGRATIONS).map(([name, migration]) => [
    name,
    {
      up: async (db: Kysely<unknown>) => {
        const own = statementsOf(migration, written);
        for (const statement of [...own, ...(BESIDE[name] ?? [])]) await sql.raw(statement).execute(db);
      },
    },
  ]),
);

/** The database cannot be used by the service; the message says why, and what to do. */
class UnusableDatabaseError extends OperatorError {
  override name = 'UnusableDatabaseError';
}

const TABLE = 'service_migrations';
/** PostgreSQL's SQLSTATE for a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Migrates the tables to this program's version. If several replicas start at once, one migrates while the others wait
 * for its advisory lock.
 *
 * @param name of the database, for the operator
 * @throws UnusableDatabaseError if it belongs to another program, is newer than this one, or a step failed
 */
async function migratePostgres(query: Query, name: string): Promise<void> {
  const { rows } = await sql<{ isOurs: boolean; isOthers: boolean }>`select
    to_regclass(${TABLE}) is not null as "isOurs", to_regclass('issues') is not null as "isOthers"`.execute(
    query,
  );
  if (rows[0]?.isOurs === true) {
    await refuseNewer(query, name);
  } else if (rows[0]?.isOthers === true) {
    throw new UnusableDatabaseError(
      `The database ${name} belongs to another program: create one of the service's own, and name it in DATABASE_URL.`,
    );
  }
  const migrator = new Migrator({
    db: query,
    provider: { getMigrations: async () => migrations },
    migrationTableName: TABLE,
    migrationLockTableName: `${TABLE}_lock`,
  });
  for (;;) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    // Another replica is still migrating.
    if (codeOf(error) === LOCK_NOT_AVAILABLE) continue;
    throw new UnusableDatabaseError(
      `The database ${name} could not be migrated, and was left as it was (${reasonOf(error)}): run the version that was there before.`,
      { cause: error },
    );
  }
}

async function refuseNewer(query: Query, name: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(TABLE)} order by name`.execute(
    query,
  );
  const unknown = rows.map((row) => row.name).filter((one) => !Object.hasOwn(migrations, one));
  if (unknown.length === 0) return;
  throw new UnusableDatabaseError(
    `The database ${name} was written by a newer version of the service (it has ${unknown.join(', ')}): run that version, or use another database.`,
  );
}

export interface PostgresLocation {
  /** `postgres://user:password@host:port/database`. */
  url: string;
  /** The server's own address, if `url` is a pooler's, which does not support notifications. */
  directUrl: string;
  /** An idle connection was lost, or there is none for notifications. */
  onConnectionLost: (error: unknown) => void;
}

/**
 * An owner that has not renewed its lease for this long has lost its investigations. Including the runner's pauses,
 * another replica takes over within 15 s.
 */
const LEASE_MS = 10_000;
/** The replicas' own clocks may differ. */
const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
const CHANNEL = 'gumshoe_service_work';
const APPLICATION = 'gumshoe-service';

/** Per replica; a server allows 100 in total by default. */
const MAX_CONNECTIONS = 10;
const PROBE_MS = 3_000;
/** Real time: the server has its own clock. */
const RETRYING = { clock: systemClock, random: Math.random };

/**
 * Connects to the service's database, which any number of replicas may share, and migrates its tables.
 *
 * @throws OperatorError in words for the operator: not reachable, not allowed, another program's, too new
 */
export async function openPostgres({
  url,
  directUrl,
  onConnectionLost,
}: PostgresLocation): Promise<OpenedDatabase> {
  const pool = createPool({
    url,
    applicationName: APPLICATION,
    max: MAX_CONNECTIONS,
    onError: onConnectionLost,
  });
  try {
    const client = await pool.connect();
    client.release();
  } catch (error) {
    await pool.end();
    throw new OperatorError(connectionProblem(error, url), { cause: error });
  }
  const query = new Kysely<Tables>({ dialect: createPostgresDialect({ ...RETRYING, pool }) });
  try {
    await migratePostgres(query, databaseName(url));
  } catch (error) {
    await query.destroy();
    throw error;
  }
  return {
    query,
    dialect: postgresDialect,
    // Anything that two transactions could both change is locked by the first of them.
    transaction: (work) => runTransaction(query, work, { ...RETRYING, isolationLevel: 'read committed' }),
    snapshot: (read) => runTransaction(query, read, { ...RETRYING, isolationLevel: 'repeatable read' }),
    listen: (onWork) => {
      const listener = createListener({
        ...RETRYING,
        url: directUrl,
        applicationName: APPLICATION,
        channel: CHANNEL,
        onNotification: onWork,
        onFailure: onConnectionLost,
      });
      listener.start();
      return listener;
    },
    problem: async () => {
      try {
        const answer = pool.query<{ readOnly: string }>(
          `select current_setting('transaction_read_only') as "readOnly"`,
        );
        const { rows } = await withTimeout(answer, {
          ms: PROBE_MS,
          clock: systemClock,
          onTimeout: () => {
            throw new Error(`no answer within ${PROBE_MS / 1000} seconds`);
          },
        });
        return rows[0]?.readOnly === 'on'
          ? 'cannot write to the database: it is read-only, as a standby is; point DATABASE_URL to the primary'
          : null;
      } catch (error) {
        return `cannot reach the database (${reasonOf(error)}): check that PostgreSQL runs and takes connections from here`;
      }
    },
    close: () => query.destroy(),
  };
}

const postgresDialect: Dialect = {
  isShared: true,
  leaseUntil: sql<number>`${NOW} + ${sql.lit(LEASE_MS)}`,
  isFree: () => sql<boolean>`(owner is null or "leaseUntil" < ${NOW})`,
  notify: async (query) => {
    await sql`select pg_notify(${CHANNEL}, '')`.execute(query);
  },
  // Unlike `strpos`, this can use the text index.
  contains: (column, text) => sql<boolean>`${column} like ${`%${escapeLike(text)}%`}`,
  findings: {
    rootCauseSummary: sql<string | null>`findings::json #>> '{rootCause,rootCauseSummary}'`,
    actions: sql<string>`coalesce((select json_agg(action -> 'title')
      from json_array_elements(findings::json #> '{remediation,actions}') as action), '[]')::text`,
  },
  index: async () => undefined,
  search: async (query, conditions, search) => readIssues(query, postgresDialect, conditions, search),
  lock: async (query: Query, name: string) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(query);
  },
};

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/gu, '\\$&');
}

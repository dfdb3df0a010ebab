import { Kysely, sql } from 'kysely';
import { withTimeout } from '../../../lib/abort.ts';
import { systemClock } from '../../../lib/clock.ts';
import { OperatorError } from '../../../lib/operator-error.ts';
import { createPostgresDialect, runTransaction } from '../../../lib/postgres/dialect.ts';
import { connectionProblem, databaseName, reasonOf } from '../../../lib/postgres/errors.ts';
import { createListener } from '../../../lib/postgres/listener.ts';
import { createPool } from '../../../lib/postgres/pool.ts';
import type { Dialect, OpenedDatabase } from '../database.ts';
import { readIssues } from '../read-issues.ts';
import type { Query, Tables } from '../tables.ts';
import { migratePostgres } from './postgres-migrate.ts';

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

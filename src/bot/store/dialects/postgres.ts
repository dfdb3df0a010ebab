import { randomUUID } from 'node:crypto';
import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { createPostgresDialect, runSerializable } from '../../../lib/postgres/dialect.ts';
import { reasonOf } from '../../../lib/postgres/errors.ts';
import { createPool } from '../../../lib/postgres/pool.ts';
import { StoreError } from '../errors.ts';
import { migrate } from '../migrate.ts';
import type { Tables } from '../tables.ts';
import { columns } from './columns.ts';
import type { OpenedDatabase } from './opened-database.ts';
import { postgresReplicas } from './postgres-replicas.ts';

/** Per replica; a server allows 100 in total by default. */
const MAX_CONNECTIONS = 10;

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  url: string;
  clock: Clock;
  random: () => number;
  onConnectionLost: (error: Error) => void;
  /** Once aborted, nothing waits for an unreachable server. */
  signal?: AbortSignal;
}

/**
 * Connects and migrates the tables; with several replicas, one migrates while the others wait.
 *
 * @throws StoreError in words for the operator: not reachable, not allowed, too new.
 */
export async function openPostgres({
  url,
  clock,
  random,
  onConnectionLost,
  signal,
}: PostgresOptions): Promise<OpenedDatabase> {
  const name = nameOf(url);
  const retrying = { clock, random, ...(signal ? { signal } : {}) };
  const pool = createPool({
    url,
    applicationName: 'gumshoe',
    max: MAX_CONNECTIONS,
    onError: onConnectionLost,
  });
  try {
    const client = await pool.connect();
    client.release();
  } catch (error) {
    await pool.end();
    throw new StoreError(
      `Cannot connect to ${name}: ${reasonOf(error)}. Check DATABASE_URL, and that the server runs, takes connections ` +
        'from here and has this database.',
      { cause: error },
    );
  }
  const db = new Kysely<Tables>({
    dialect: createPostgresDialect({ pool, ...retrying }),
    plugins: [
      ...columns,
      // SQLite accepts an empty list, which matches nothing.
      new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression }),
    ],
  });
  try {
    await migrate(db.withoutPlugins(), name);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    db,
    replicas: postgresReplicas(db, randomUUID(), clock),
    transaction: (work) => runSerializable(db, work, retrying),
    // Left to the server's own vacuum.
    releaseFreePages: async () => false,
    truncateLog: async () => true,
    close: () => db.destroy(),
  };
}

/** The database without its user and password. */
function nameOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `PostgreSQL database ${pathname.slice(1)} at ${searchParams.get('host') ?? host}`;
}

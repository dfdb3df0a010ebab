import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type IsolationLevel,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
  SelectQueryNode,
  type Transaction,
} from 'kysely';
import type pg from 'pg';
import { backoffMs, type Clock } from '../clock.ts';
import { isConflict, isUnavailable, wasNotSent } from './errors.ts';

/** How long a server may be unavailable before a statement fails: a restart or a failover takes less. */
const LONGEST_ABSENCE_MS = 60_000;
const RETRY = { firstMs: 50, maxMs: 2_000 };

export interface PostgresDialectOptions {
  pool: pg.Pool;
  clock: Clock;
  random: () => number;
  /** Once aborted, nothing waits for an unavailable server: the program is stopping. */
  signal?: AbortSignal;
}

/**
 * PostgreSQL for Kysely. During a brief outage of the server, a statement waits for a connection, and a read is retried
 * on another one. A write is not if it was sent: it may have taken effect.
 */
export function createPostgresDialect(options: PostgresDialectOptions): Dialect {
  return {
    createAdapter: (): DialectAdapter => new PostgresAdapter(),
    createDriver: (): Driver => createDriver(options),
    createIntrospector: (db: Kysely<unknown>): DatabaseIntrospector => new PostgresIntrospector(db),
    createQueryCompiler: (): QueryCompiler => new PostgresQueryCompiler(),
  };
}

class Connection implements DatabaseConnection {
  client: pg.PoolClient;
  inTransaction = false;
  /** Its state is unknown, so it is not reused. */
  isBroken = false;
  #isReleased = false;
  readonly #reconnect: () => Promise<pg.PoolClient>;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(client: pg.PoolClient, reconnect: () => Promise<pg.PoolClient>, clock: Pick<Clock, 'now'>) {
    this.client = client;
    this.#reconnect = reconnect;
    this.#clock = clock;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // After a restart of the server, every connection of the pool may be a dead one.
    for (const until = this.#clock.now() + LONGEST_ABSENCE_MS; ; ) {
      try {
        return await this.#run<R>(query);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        this.isBroken = true;
        const mayRunAgain = SelectQueryNode.is(query.query) || wasNotSent(error);
        if (this.inTransaction || !mayRunAgain || this.#clock.now() >= until) throw error;
        await this.reconnect();
      }
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed from PostgreSQL');
  }

  /** Replaces a broken connection with a new one. */
  async reconnect(): Promise<void> {
    this.release();
    this.client = await this.#reconnect();
    this.isBroken = false;
    this.#isReleased = false;
  }

  /** Returns it to the pool; a broken connection is discarded. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.client.release(this.isBroken);
  }

  async #run<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.client.query(sql, parameters.map(storable));
    const isWrite = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
    return { rows, ...(isWrite ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
  }
}

/** PostgreSQL text holds any character but U+0000. */
function storable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}

function createDriver({ pool, clock, random, signal }: PostgresDialectOptions): Driver {
  const connect = async (): Promise<pg.PoolClient> => {
    const until = clock.now() + LONGEST_ABSENCE_MS;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await pool.connect();
      } catch (error) {
        if (!isUnavailable(error) || clock.now() >= until || signal?.aborted) throw error;
        // Aborting the wait ends the attempts.
        await clock.sleep(backoffMs(attempt, RETRY, random), signal).catch(() => undefined);
      }
    }
  };
  return {
    init: async () => undefined,
    acquireConnection: async () => new Connection(await connect(), connect, clock),
    beginTransaction: async (connection, { isolationLevel = 'read committed' }) => {
      const own = ours(connection);
      own.inTransaction = true;
      await own.executeQuery(CompiledQuery.raw(`start transaction isolation level ${isolationLevel}`));
    },
    commitTransaction: async (connection) => {
      const own = ours(connection);
      const { rows } = await own.executeQuery<{ id: string | null }>(CompiledQuery.raw(TRANSACTION_ID));
      try {
        await own.executeQuery(CompiledQuery.raw('commit'));
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        await own.reconnect();
        if (!(await wasCommitted(own, rows[0]?.id ?? null, clock))) throw error;
      }
    },
    rollbackTransaction: async (connection) => {
      const own = ours(connection);
      // A lost connection has already rolled back.
      if (!own.isBroken) await own.executeQuery(CompiledQuery.raw('rollback'));
    },
    releaseConnection: async (connection) => {
      ours(connection).release();
    },
    destroy: () => pool.end(),
  };
}

const TRANSACTION_ID = 'select pg_current_xact_id_if_assigned()::text as id';
const STATUS_LOOK_MS = 100;

/** The outcome of a transaction whose commit got no answer. One that wrote nothing has no id, and may run again. */
async function wasCommitted(connection: Connection, id: string | null, clock: Clock): Promise<boolean> {
  if (id === null) return false;
  for (;;) {
    const { rows } = await connection.executeQuery<{ status: string | null }>(
      CompiledQuery.raw('select pg_xact_status($1::xid8) as status', [id]),
    );
    const status = rows[0]?.status;
    if (status !== 'in progress') return status === 'committed';
    await clock.sleep(STATUS_LOOK_MS);
  }
}

function ours(connection: DatabaseConnection): Connection {
  if (connection instanceof Connection) return connection;
  throw new Error('this connection was made by another driver');
}

const CONFLICT_RETRY = { firstMs: 5, maxMs: 500 };

interface RetryOptions {
  clock: Clock;
  random: () => number;
  /** Once aborted, failures are not retried. */
  signal?: AbortSignal;
}

/**
 * Runs `work` as if no other transaction ran, here or on another replica (`serializable`): after a conflict, or a
 * connection lost before the commit, all of it runs again. So it must only read and write the database.
 *
 * @throws the failure that persists after a minute: a conflict, or an unavailable server
 */
export function runSerializable<Tables, T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  return runTransaction(db, work, { ...options, isolationLevel: 'serializable' });
}

/** The same at another isolation level: `work` must lock what it relies on. */
export async function runTransaction<Tables, T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
  { clock, random, signal, isolationLevel }: RetryOptions & { isolationLevel: IsolationLevel },
): Promise<T> {
  const until = clock.now() + LONGEST_ABSENCE_MS;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await db.transaction().setIsolationLevel(isolationLevel).execute(work);
    } catch (error) {
      const mayPass = isConflict(error) || isUnavailable(error);
      if (!mayPass || clock.now() >= until || signal?.aborted) throw error;
      await clock.sleep(backoffMs(attempt, CONFLICT_RETRY, random));
    }
  }
}

import pg from 'pg';

/** A statement that takes longer has gone wrong; milliseconds. */
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;
/** Between two statements of a transaction: a hung replica must not hold its locks. */
const IDLE_IN_TRANSACTION_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** If the network swallows packets, statements never end: the client gives up a little after the server would have. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
const KEEP_ALIVE_MS = 5_000;

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with `sslmode` and the other libpq parameters supported by `pg`. */
  url: string;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  max: number;
  /** An idle connection was lost. */
  onError: (error: Error) => void;
}

/** 64-bit integers are read as numbers: none of ours exceeds 2^53. Sums of them are `numeric`. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC))
      return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

/** Options shared by all our connections. */
export function connectionOptions({
  url,
  applicationName,
}: Pick<PostgresOptions, 'url' | 'applicationName'>): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types,
  };
}

/** A bounded pool of connections. A broken connection is replaced, and never ends the process. */
export function createPool(options: PostgresOptions): pg.Pool {
  const pool = new pg.Pool({ ...connectionOptions(options), max: options.max });
  pool.on('error', options.onError);
  // If the connection is in use, its statement fails too; without a listener the event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

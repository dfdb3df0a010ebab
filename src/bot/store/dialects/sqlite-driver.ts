import {
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import { SqliteColumnsDialect } from './columns.ts';
import type { LogSync } from './log-sync.ts';

/** The database, and whether it was written to since last asked. */
export interface WatchedDatabase extends SqliteDatabase {
  /** True once after each write. */
  wasWritten(): boolean;
}

/**
 * Kysely's dialect, with two differences. Schema changes run in a transaction, since SQLite can. And a writer waits for
 * the disk after the connection is free again: others read, write and commit meanwhile, and share one `fsync`.
 */
export class DurableSqliteDialect extends SqliteColumnsDialect {
  readonly #config: SqliteDialectConfig & { database: WatchedDatabase; log: LogSync };

  constructor(config: { database: WatchedDatabase; log: LogSync }) {
    super(config);
    this.#config = config;
  }

  override createDriver(): DurableSqliteDriver {
    return new DurableSqliteDriver(this.#config);
  }

  override createAdapter(): SqliteAdapter {
    return new SharedConnectionAdapter();
  }
}

class SharedConnectionAdapter extends SqliteAdapter {
  /** Otherwise Kysely would leave a failed migration half applied. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** There is one connection. The driver queues its users itself, since Kysely would hold it longer than necessary. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class DurableSqliteDriver extends SqliteDriver {
  readonly #database: WatchedDatabase;
  readonly #log: LogSync;
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  constructor(config: { database: WatchedDatabase; log: LogSync }) {
    super(config);
    this.#database = config.database;
    this.#log = config.log;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    return super.acquireConnection();
  }

  /** @throws if the write is not on disk, so the writer does not rely on it */
  override async releaseConnection(): Promise<void> {
    const isDirty = this.#database.wasWritten();
    const next = this.#waiting.shift();
    // It stays taken for the next in line, so nobody jumps the queue.
    if (next === undefined) this.#isTaken = false;
    else next();
    if (isDirty) await this.#log.sync();
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.#log.close();
  }
}

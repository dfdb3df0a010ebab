import {
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import type { LogSync } from './log-sync.ts';

/** The database, and whether something was written since it was last asked. */
export interface WatchedDatabase extends SqliteDatabase {
  /** True once after each write. */
  wasWritten(): boolean;
}

/**
 * Kysely's dialect, with two differences. Tables change inside a transaction, since SQLite can. And whoever has written
 * waits for the disk after the connection is free again: others read, write and commit meanwhile, and one `fsync` is for
 * all of them.
 */
export class DurableSqliteDialect extends SqliteDialect {
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
  /** Kysely would let a step of a migration that failed leave half of it. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** There is one; the driver hands it to one user after the other, which Kysely would do for longer than is needed. */
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

  /** @throws when what was written is not on the disk, so whoever wrote it does not count on it. */
  override async releaseConnection(): Promise<void> {
    const isDirty = this.#database.wasWritten();
    const next = this.#waiting.shift();
    // It stays taken for the one that is next: nobody comes in between.
    if (next === undefined) this.#isTaken = false;
    else next();
    if (isDirty) await this.#log.sync();
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.#log.close();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import {
  CamelCasePlugin,
  type DatabaseConnection,
  type IdentifierNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PostgresQueryCompiler,
  type QueryResult,
  type RootOperationNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type UnknownRow,
} from 'kysely';

/** The boolean columns, by their names in the program; no table has a number column of the same name. */
const BOOLEAN_COLUMNS = new Set([
  'isOpen',
  'watched',
  'listening',
  'isPrivate',
  'recorded',
  'pending',
  'named',
  'leads',
]);

/**
 * Columns are snake_case in the database and camelCase in the program, and booleans are 0 and 1 in both dialects, since
 * SQLite has no boolean type and the migrations are shared. The compilers below write queries so, and this reads rows
 * back; as plugins usually do it, each query would be copied twice, which takes longer than running most of them.
 */
class Columns extends CamelCasePlugin {
  readonly #read = new Map<string, { name: string; isBoolean: boolean }>();

  override transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node;
  }

  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return { ...result, rows: result.rows.map((row) => this.#readRow(row)) };
  }

  inDatabase(name: string): string {
    return this.snakeCase(name);
  }

  #readRow(row: UnknownRow): UnknownRow {
    const read: UnknownRow = {};
    for (const column of Object.keys(row)) {
      const { name, isBoolean } = this.#columnNamed(column);
      const value = row[column];
      read[name] = isBoolean && typeof value === 'number' ? value === 1 : value;
    }
    return read;
  }

  #columnNamed(column: string): { name: string; isBoolean: boolean } {
    const known = this.#read.get(column);
    if (known !== undefined) return known;
    const name = this.camelCase(column);
    const learned = { name, isBoolean: BOOLEAN_COLUMNS.has(name) };
    this.#read.set(column, learned);
    return learned;
  }
}

/** Reads rows as the program knows them; belongs with one of the compilers below. */
export const columns = new Columns();

/** A value as both dialects store it. */
function asStored(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}

class SqliteColumnsCompiler extends SqliteQueryCompiler {
  protected override compileUnwrappedIdentifier({ name }: IdentifierNode): void {
    this.append(this.sanitizeIdentifier(columns.inDatabase(name)));
  }

  protected override addParameter(value: unknown): void {
    super.addParameter(asStored(value));
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  /** Otherwise Kysely would leave a failed migration half applied. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const BUSY_MS = 5_000;
const BUSY_RETRY_MS = 20;

/**
 * A statement that meets another process's write lock (a backup, somebody's shell) is tried again every moment. SQLite's
 * own `busy_timeout` would wait in the event loop, and nothing would answer meanwhile, not even `/healthz`.
 */
function patient(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: async (query) => {
      const until = performance.now() + BUSY_MS;
      for (;;) {
        try {
          return await connection.executeQuery(query);
        } catch (error) {
          const isBusy = error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY';
          if (!isBusy || performance.now() > until) throw error;
          await sleep(BUSY_RETRY_MS);
        }
      }
    },
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  };
}

class PatientSqliteDriver extends SqliteDriver {
  #patient: DatabaseConnection | null = null;

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#patient ??= patient(await super.acquireConnection());
    return this.#patient;
  }
}

export class SqliteColumnsDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;

  constructor({ database }: { database: SqliteDatabase }) {
    super({ database });
    this.#database = database;
  }

  override createDriver(): SqliteDriver {
    return new PatientSqliteDriver({ database: this.#database });
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteColumnsCompiler();
  }
}

export class PostgresColumnsCompiler extends PostgresQueryCompiler {
  protected override compileUnwrappedIdentifier({ name }: IdentifierNode): void {
    this.append(this.sanitizeIdentifier(columns.inDatabase(name)));
  }

  protected override addParameter(value: unknown): void {
    super.addParameter(asStored(value));
  }
}

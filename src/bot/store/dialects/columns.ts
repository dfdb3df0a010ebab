import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import {
  CamelCasePlugin,
  type DatabaseConnection,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type UnknownRow,
  type ValueNode,
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

/** Booleans are 0 and 1 in both dialects: SQLite has no boolean type, and the migrations are shared. */
class Booleans implements KyselyPlugin {
  readonly #writing = new StoredBooleans();

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.#writing.transformNode(node, queryId);
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return { ...result, rows: result.rows.map(withBooleans) };
  }
}

class StoredBooleans extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode, queryId?: QueryId): ValueNode {
    return { ...super.transformValue(node, queryId), value: asStored(node.value) };
  }

  protected override transformPrimitiveValueList(
    node: PrimitiveValueListNode,
    queryId?: QueryId,
  ): PrimitiveValueListNode {
    return { ...super.transformPrimitiveValueList(node, queryId), values: node.values.map(asStored) };
  }
}

function asStored(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}

function withBooleans(row: UnknownRow): UnknownRow {
  const read = { ...row };
  for (const name of Object.keys(read)) {
    if (BOOLEAN_COLUMNS.has(name) && typeof read[name] === 'number') read[name] = read[name] === 1;
  }
  return read;
}

/** Columns are snake_case in the database and camelCase in the program. */
export const columns: readonly KyselyPlugin[] = [
  new CamelCasePlugin({ maintainNestedObjectKeys: true }),
  new Booleans(),
];

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
}

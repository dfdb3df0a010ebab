import { randomUUID } from 'node:crypto';
import {
  CamelCasePlugin,
  type ColumnDefinitionNode,
  DataTypeNode,
  HandleEmptyInListsPlugin,
  Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  RawNode,
  replaceWithNoncontingentExpression,
} from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { createPostgresDialect } from '../../../lib/postgres/dialect.ts';
import { reasonOf } from '../../../lib/postgres/errors.ts';
import { createPool } from '../../../lib/postgres/pool.ts';
import { runSerializable } from '../../../lib/postgres/transaction.ts';
import { StoreError } from '../errors.ts';
import { migrate } from '../migrate.ts';
import type { Tables } from '../tables.ts';
import { booleansAsNumbers } from './booleans-as-numbers.ts';
import type { OpenedDatabase } from './opened-database.ts';
import { postgresReplicas } from './postgres-replicas.ts';

/** Of one replica; a server takes 100 of all of them, if not told otherwise. */
const MAX_CONNECTIONS = 10;

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  url: string;
  clock: Clock;
  random: () => number;
  /** A connection was lost while nobody used it. */
  onConnectionLost: (error: Error) => void;
  /** From now on nothing waits for a server that is away. */
  signal?: AbortSignal;
}

/**
 * Connects, and brings the tables up to date; of several replicas, one does while the others wait.
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
      new CamelCasePlugin(),
      booleansAsNumbers(),
      // SQLite takes a list of none, which nothing is in.
      new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression }),
    ],
  });
  try {
    await migrate(db.withoutPlugins().withPlugin(typesOfSqlite()), { name, isShared: true });
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    db,
    replicas: postgresReplicas(db, randomUUID(), clock),
    transaction: (work) => runSerializable(db, work, retrying),
    // The server's own vacuum does.
    giveBack: async () => false,
    truncateLog: async () => true,
    close: () => db.destroy(),
  };
}

/** The database without its user and password. */
function nameOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `PostgreSQL database ${pathname.slice(1)} at ${searchParams.get('host') ?? host}`;
}

/**
 * Columns hold what they do in SQLite: text is compared and ordered byte by byte, whatever the language of the database,
 * and moments may have fractions of a millisecond.
 */
function typesOfSqlite(): KyselyPlugin {
  const transformer = new TypesOfSqlite();
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  };
}

class TypesOfSqlite extends OperationNodeTransformer {
  protected override transformColumnDefinition(node: ColumnDefinitionNode): ColumnDefinitionNode {
    const column = super.transformColumnDefinition(node);
    const type = DataTypeNode.is(column.dataType) ? column.dataType.dataType : null;
    if (type === 'text') return { ...column, dataType: RawNode.createWithSql('text collate "C"') };
    if (type === 'bigint') return { ...column, dataType: RawNode.createWithSql('double precision') };
    return column;
  }
}

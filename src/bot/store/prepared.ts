import {
  type Compilable,
  type CompiledQuery,
  createQueryId,
  type DialectAdapter,
  type RawBuilder,
  sql,
} from 'kysely';
import { asStored } from './dialects/columns.ts';
import type { Database } from './tables.ts';

/** Stands in a compiled query for a value that each execution gives. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type NewParameter<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

/**
 * A query that is built and compiled once for each database, and then only given its values. For the few that run for
 * every alert: building and compiling one takes longer than running it.
 *
 * Which workers a write wakes must not depend on a value: `wakeups.ts` sees the query, and not what it is given.
 */
export function prepared<Values extends Record<string, unknown>, Row>(
  build: (db: Database, parameter: NewParameter<Values>) => Compilable<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>();

  function compile(db: Database): CompiledQuery<Row> {
    return build(db, (name) => sql`${new Parameter(name)}`).compile();
  }

  return async (db, values) => {
    const executor = db.getExecutor();
    const known = compiled.get(executor.adapter);
    const query = known ?? compile(db);
    if (known === undefined) compiled.set(executor.adapter, query);
    const queryId = createQueryId();
    // The plugin that watches writes is told of every execution.
    executor.transformQuery(query.query, queryId);
    const parameters = query.parameters.map((one) =>
      one instanceof Parameter ? asStored(values[one.name]) : one,
    );
    const { rows } = await executor.executeQuery<Row>({ ...query, queryId, parameters });
    return rows;
  };
}

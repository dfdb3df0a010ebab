import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  type QueryId,
  type ValueNode,
} from 'kysely';

/** The boolean columns, by their names in the program; no table has a number column of the same name. */
const BOOLEAN_COLUMNS = [
  'isOpen',
  'watched',
  'listening',
  'isPrivate',
  'recorded',
  'telling',
  'named',
  'leads',
];

/** Stores booleans as 0 and 1, since SQLite has no boolean type and the migrations are shared, and reads them back. */
export function booleansAsNumbers(): KyselyPlugin {
  const toNumbers = new BooleansToNumbers();
  return {
    transformQuery: ({ node, queryId }) => toNumbers.transformNode(node, queryId),
    transformResult: async ({ result }) => {
      for (const row of result.rows) readBooleans(row);
      return result;
    },
  };
}

class BooleansToNumbers extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode, queryId?: QueryId): ValueNode {
    const { value, ...rest } = super.transformValue(node, queryId);
    return { ...rest, value: toNumber(value) };
  }

  protected override transformPrimitiveValueList(
    node: PrimitiveValueListNode,
    queryId?: QueryId,
  ): PrimitiveValueListNode {
    const { values, ...rest } = super.transformPrimitiveValueList(node, queryId);
    return { ...rest, values: values.map(toNumber) };
  }
}

function toNumber(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** In place: the row belongs to this result only. */
function readBooleans(row: Record<string, unknown>): void {
  for (const column of BOOLEAN_COLUMNS) {
    if (typeof row[column] === 'number') row[column] = row[column] === 1;
  }
}

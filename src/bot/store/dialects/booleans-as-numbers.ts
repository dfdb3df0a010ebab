import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  type QueryId,
  type ValueNode,
} from 'kysely';

/** The columns that hold booleans, as the program names them; no table has a number of the same name. */
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

/** Booleans are stored as 0 and 1, since SQLite has none and the migrations are the same, and read as what they were. */
export function booleansAsNumbers(): KyselyPlugin {
  const toNumbers = new BooleansToNumbers();
  return {
    transformQuery: ({ node, queryId }) => toNumbers.transformNode(node, queryId),
    transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(withBooleans) }),
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

function withBooleans<Row extends Record<string, unknown>>(row: Row): Row {
  const stored = BOOLEAN_COLUMNS.filter((column) => typeof row[column] === 'number');
  if (stored.length === 0) return row;
  return { ...row, ...Object.fromEntries(stored.map((column) => [column, row[column] === 1])) };
}

import type { KyselyPlugin, OperationNode, QueryId, QueryResult, RootOperationNode } from 'kysely';
import {
  ColumnNode,
  type ColumnUpdateNode,
  InsertQueryNode,
  PrimitiveValueListNode,
  TableNode,
  UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely';
import type { Organization } from '../../lib/issue-number.ts';
import { createWakeup, type Wakeup } from '../../lib/wakeup.ts';

/** Ends the wait of each worker that processes a queue in the store. */
export interface Wakeups {
  /** Something is to be posted in Slack. */
  outbox: Wakeup;
  /** A question is waiting for the agent, or somebody stopped its answer. */
  asked: Wakeup;
  /** A picture is to be drawn. */
  pictures: Wakeup;
  /** Evidence is to be fetched. */
  artifacts: Wakeup;
  /** A webhook, or the decision on an alert it delivered, is waiting. */
  webhooks: Wakeup;
  /** An issue waits to be created. */
  filed: Record<Organization, Wakeup>;
  /** A status is to be sent to the service. */
  status: Record<Organization, Wakeup>;
}

export function createWakeups(): Wakeups {
  const ofEach = () => ({ default: createWakeup(), private: createWakeup() });
  return {
    outbox: createWakeup(),
    asked: createWakeup(),
    pictures: createWakeup(),
    artifacts: createWakeup(),
    webhooks: createWakeup(),
    filed: ofEach(),
    status: ofEach(),
  };
}

/** Wakeups that also call `notify`, so that other replicas can be woken. */
export function alsoTelling({ filed, status, ...others }: Wakeups, notify: (name: string) => void): Wakeups {
  const telling = (name: string, wakeup: Wakeup): Wakeup => ({
    wait: wakeup.wait,
    wake: () => {
      wakeup.wake();
      notify(name);
    },
  });
  return {
    outbox: telling('outbox', others.outbox),
    asked: telling('asked', others.asked),
    pictures: telling('pictures', others.pictures),
    artifacts: telling('artifacts', others.artifacts),
    webhooks: telling('webhooks', others.webhooks),
    filed: {
      default: telling('filed.default', filed.default),
      private: telling('filed.private', filed.private),
    },
    status: {
      default: telling('status.default', status.default),
      private: telling('status.private', status.private),
    },
  };
}

/** Wakeups by name; the names are the same in every replica. */
export function namedWakeups({ filed, status, ...others }: Wakeups): Map<string, Wakeup> {
  return new Map([
    ...Object.entries(others),
    ['filed.default', filed.default],
    ['filed.private', filed.private],
    ['status.default', status.default],
    ['status.private', status.private],
  ]);
}

/**
 * An `insert` of one row, or an `update`: the columns set with their values, by their names in the program.
 */
interface Write {
  kind: 'insert' | 'update';
  /** `undefined` if SQL computes the value. */
  columns: ReadonlyMap<string, unknown>;
}

/** Which writes wake whom. Delayed or finished work wakes nobody: workers also poll now and then. */
const WAKES: Readonly<Record<string, (write: Write, wakeups: Wakeups) => Wakeup[]>> = {
  outbox: ({ kind, columns }, { outbox }) =>
    kind === 'insert' || columns.has('wanted') || columns.get('state') === 'due' ? [outbox] : [],
  questions: ({ columns }, { asked }) =>
    columns.get('state') === 'queued' || isSet(columns, 'stoppedBy') ? [asked] : [],
  files: ({ columns }, { pictures }) => (columns.get('state') === 'wanted' ? [pictures] : []),
  artifacts: ({ columns }, { artifacts }) => (columns.get('state') === 'wanted' ? [artifacts] : []),
  webhooks: ({ kind }, { webhooks }) => (kind === 'insert' ? [webhooks] : []),
  receivedAlerts: ({ columns }, { webhooks }) => (columns.get('state') === 'posted' ? [webhooks] : []),
  issues: ({ columns }, { filed, status }) => [
    ...(columns.get('state') === 'pending' ? ofOrganization(columns, filed) : []),
    // A status decided before the issue was created can be sent once it is.
    ...(columns.get('state') === 'created' || isSet(columns, 'wantedStatus')
      ? ofOrganization(columns, status)
      : []),
  ],
};

/** If a write does not give its issue's organisation, both are woken. */
function ofOrganization(
  columns: Write['columns'],
  { default: one, private: other }: Record<Organization, Wakeup>,
): Wakeup[] {
  const organization = columns.get('organization');
  if (organization === 'default') return [one];
  if (organization === 'private') return [other];
  return [one, other];
}

function isSet(columns: Write['columns'], column: string): boolean {
  return columns.has(column) && columns.get(column) !== null;
}

/** Watches each write, and once it has changed something, notes whose work it creates. */
export function noteWrites(wakeups: Wakeups, note: (woken: Wakeup) => void): KyselyPlugin {
  const underWay = new WeakMap<QueryId, Wakeup[]>();
  return {
    transformQuery: ({ node, queryId }) => {
      const wakes = WAKES[tableOf(node)];
      if (wakes === undefined) return node;
      const woken = writesOf(node).flatMap((write) => wakes(write, wakeups));
      if (woken.length > 0) underWay.set(queryId, woken);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      const woken = underWay.get(queryId);
      if (woken !== undefined && hasChanged(result)) for (const one of woken) note(one);
      return result;
    },
  };
}

/** With `returning`, the result is the changed rows; without, their number. */
function hasChanged({ numAffectedRows, rows }: QueryResult<unknown>): boolean {
  return numAffectedRows === undefined ? rows.length > 0 : numAffectedRows > 0n;
}

/** The table that a query writes to; empty if it only reads. */
function tableOf(node: RootOperationNode): string {
  if (InsertQueryNode.is(node)) return node.into?.table.identifier.name ?? '';
  const table = UpdateQueryNode.is(node) ? node.table : undefined;
  return table !== undefined && TableNode.is(table) ? table.table.identifier.name : '';
}

function writesOf(node: RootOperationNode): Write[] {
  if (InsertQueryNode.is(node)) {
    const { columns = [], values } = node;
    if (values === undefined || !ValuesNode.is(values)) return [];
    const names = columns.map(({ column }) => column.name);
    return values.values.map((row) => ({
      kind: 'insert',
      columns: new Map(valuesIn(row).map((value, i) => [names[i] ?? '', value])),
    }));
  }
  if (UpdateQueryNode.is(node)) {
    const columns = new Map(
      (node.updates ?? []).map(({ column, value }) => [columnOf(column), constantOf(value)]),
    );
    return [{ kind: 'update', columns }];
  }
  return [];
}

function valuesIn(row: OperationNode): readonly unknown[] {
  if (PrimitiveValueListNode.is(row)) return row.values;
  return ValueListNode.is(row) ? row.values.map(constantOf) : [];
}

function columnOf(node: ColumnUpdateNode['column']): string {
  return ColumnNode.is(node) ? node.column.name : '';
}

function constantOf(node: OperationNode): unknown {
  return ValueNode.is(node) ? node.value : undefined;
}

import type { Expression, RawBuilder, SqlBool } from 'kysely';
import type { IssueRow, Query } from './tables.ts';

/** The tables, on the database itself or inside a transaction. */
export interface Database {
  query: Query;
  dialect: Dialect;
  /**
   * Commits all of `work` or none of it. Nested calls join the outer transaction. May run it more than once, so it only
   * reads and writes.
   */
  transaction<T>(work: (tx: Database) => Promise<T>): Promise<T>;
}

/** SQL that differs between the databases. */
export interface Dialect {
  /** Whether other processes may use the same database at the same time. */
  isShared: boolean;
  /** When a lease that begins now ends; null if nobody else could take what is leased. */
  leaseUntil: RawBuilder<number | null>;
  /** Whether a version has no owner, or one that is gone. */
  isFree(owner: string): Expression<SqlBool>;
  /** Tells every process that there is work to investigate, once the transaction is committed. */
  notify(query: Query): Promise<void>;
  /** Blocks the same call in other transactions until this one ends. */
  lock(query: Query, name: string): Promise<void>;
  /** Whether a text column contains a text, case-sensitively. */
  contains(column: Expression<string>, text: string): Expression<SqlBool>;
  /** The parts of a version's findings shown in an overview. */
  findings: {
    rootCauseSummary: RawBuilder<string | null>;
    /** The titles of the remediation actions, as a JSON array. */
    actions: RawBuilder<string>;
  };
  /** Makes a new issue searchable by its folded texts. */
  index(query: Query, issue: { id: number; foldedTitle: string; foldedDescription: string }): Promise<void>;
  /** Reads the issues that meet the conditions and whose title or description contains `search` (folded). */
  search(query: Query, conditions: Conditions, search: string): Promise<ReadIssues>;
}

/** Column values that must match, and are not null. */
export interface Conditions {
  organization: string;
  status: IssueRow['status'] | undefined;
  environment: string | undefined;
}

/** At most `limit` issues on one side of an id, nearest first. */
export type ReadIssues = (beyond: '<' | '>' | '=', id: number, limit: number) => Promise<IssueRow[]>;

/** An open database, with its dialect's operations. */
export interface OpenedDatabase {
  query: Query;
  dialect: Dialect;
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Reads a consistent snapshot, regardless of concurrent writes. */
  snapshot<T>(read: (query: Query) => Promise<T>): Promise<T>;
  /** Listens until stopped: another process may have begun, or released, something to investigate. */
  listen(onWork: () => void): { stop(): Promise<void> };
  /** Why it does not accept writes, for the operator; null if it does. */
  problem(): Promise<string | null>;
  close(): Promise<void>;
}

export function databaseOf({ query, dialect, transaction }: OpenedDatabase): Database {
  return {
    query,
    dialect,
    transaction: (work) => transaction((trx) => work(within(trx, dialect))),
  };
}

export function within(query: Query, dialect: Dialect): Database {
  const tx: Database = { query, dialect, transaction: (work) => work(tx) };
  return tx;
}

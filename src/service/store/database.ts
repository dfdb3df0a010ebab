import type { Expression, RawBuilder, SqlBool } from 'kysely';
import type { IssueRow, Query } from './tables.ts';

/** The tables, on the database itself or inside a transaction. */
export interface Database {
  query: Query;
  dialect: Dialect;
  /**
   * All of `work` is kept, or nothing. Inside a transaction it is part of that one. It may run more than once, so it
   * only reads and writes.
   */
  transaction<T>(work: (tx: Database) => Promise<T>): Promise<T>;
}

/** What the databases say in different words. */
export interface Dialect {
  /** Whether other processes may have the same database at the same time. */
  isShared: boolean;
  /** When a lease ends that begins now; null if nobody else could have what is leased. */
  leaseUntil: RawBuilder<number | null>;
  /** Whether nobody has a version, or a process that is gone. */
  isFree(owner: string): Expression<SqlBool>;
  /** Tells every process that there is something to investigate, once the transaction is committed. */
  notify(query: Query): Promise<void>;
  /** Lets no other transaction past the same call until this one ends. */
  lock(query: Query, name: string): Promise<void>;
  /** Whether a text column contains a text, case and all. */
  contains(column: Expression<string>, text: string): Expression<SqlBool>;
  /** What an overview takes from the findings of a version. */
  findings: {
    rootCauseSummary: RawBuilder<string | null>;
    /** The titles of the remediation actions, as a JSON array. */
    actions: RawBuilder<string>;
  };
  /** Lets searches find a new issue by its folded texts. */
  index(query: Query, issue: { id: number; foldedTitle: string; foldedDescription: string }): Promise<void>;
  /** How to read the issues that meet the conditions and whose title or description contains `search` (folded). */
  search(query: Query, conditions: Conditions, search: string): Promise<ReadIssues>;
}

/** Equal to what is given, and not null. */
export interface Conditions {
  organisation: string;
  status: IssueRow['status'] | undefined;
  environment: string | undefined;
}

/** At most `limit` issues on one side of an id, those nearest to it first. */
export type ReadIssues = (beyond: '<' | '>' | '=', id: number, limit: number) => Promise<IssueRow[]>;

/** An opened database, with what only its dialect knows how to do. */
export interface OpenedDatabase {
  query: Query;
  dialect: Dialect;
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Reads at one moment, whatever is written meanwhile. */
  snapshot<T>(read: (query: Query) => Promise<T>): Promise<T>;
  /** Listens until it is stopped: another process may have begun, or given up, something to investigate. */
  listen(onWork: () => void): { stop(): Promise<void> };
  /** What is wrong where it does not accept a write, for the operator; null where it does. */
  problem(): Promise<string | null>;
  close(): Promise<void>;
}

/** A database whose aggregates take part in no transaction yet. */
export function databaseOf({ query, dialect, transaction }: OpenedDatabase): Database {
  return {
    query,
    dialect,
    transaction: (work) => transaction((trx) => work(within(trx, dialect))),
  };
}

/** The database inside a transaction. */
export function within(query: Query, dialect: Dialect): Database {
  const tx: Database = { query, dialect, transaction: (work) => work(tx) };
  return tx;
}

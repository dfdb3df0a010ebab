import type { Transaction } from 'kysely';
import type { Database, Tables } from '../tables.ts';
import type { Replicas } from './postgres-replicas.ts';

/** A database that is ready for the store: checked, and brought up to date. */
export interface OpenedDatabase {
  db: Database;
  /** `null` if no other process works on it. */
  replicas: Replicas | null;
  /** All of `work` or nothing of it is kept, as if no other transaction ran. It may run more than once. */
  transaction<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Gives some of the space that deleted rows left back to the disk; false when there is none. */
  giveBack(): Promise<boolean>;
  /** Empties the write-ahead log, which holds what was deleted; false while a reader is in the way. */
  truncateLog(): Promise<boolean>;
  close(): Promise<void>;
}

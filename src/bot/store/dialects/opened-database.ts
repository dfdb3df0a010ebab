import type { Transaction } from 'kysely';
import type { Database, Tables } from '../tables.ts';
import type { Replicas } from './postgres-replicas.ts';

/** A database ready for the store: checked and migrated. */
export interface OpenedDatabase {
  db: Database;
  /** `null` if no other process uses it. */
  replicas: Replicas | null;
  /** Commits all of `work` or none of it, as if no other transaction ran. May run it more than once. */
  transaction<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Returns some of the space of deleted rows to the disk; false when there is no more. */
  releaseFreePages(): Promise<boolean>;
  /** Empties the write-ahead log, which still contains deleted rows; false while a reader blocks it. */
  truncateLog(): Promise<boolean>;
  close(): Promise<void>;
}

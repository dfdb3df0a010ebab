import { createArtifactStore } from './artifacts.ts';
import { createChangeStore } from './changes.ts';
import { createConversationStore } from './conversations.ts';
import { type Database, databaseOf, within } from './database.ts';
import { openPostgres, type PostgresLocation } from './dialects/postgres.ts';
import { openSqlite } from './dialects/sqlite.ts';
import { createFingerprintStore } from './fingerprints.ts';
import { createIssueLookup, createIssueStore, createListing } from './issues.ts';
import { createModelRequestStore } from './model-requests.ts';
import { createSweep } from './sweep.ts';
import { createVersionStore } from './versions.ts';

/** The service's data, on the database itself or inside a transaction. */
export type Aggregates = ReturnType<typeof aggregates>;

export interface Store extends Aggregates {
  /** Whether other replicas may share the database. */
  isShared: boolean;
  /** Listens until stopped: another replica may have begun, or released, something to investigate. */
  listen(onWork: () => void): { stop(): Promise<void> };
  /** Why the database does not accept writes, for the operator; null if it does. */
  problem(): Promise<string | null>;
  /**
   * Commits all of `work` or none of it. May run it more than once, so it only reads and writes, through `tx` alone.
   */
  transaction<T>(work: (tx: Aggregates) => Promise<T>): Promise<T>;
  /** Reads a consistent snapshot, regardless of concurrent writes. */
  snapshot<T>(read: (tx: Aggregates) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A SQLite file (`:memory:` works too), for one process at a time, or a PostgreSQL database. */
export type StoreLocation = { file: string } | PostgresLocation;

/**
 * Opens the service's store.
 *
 * @throws OperatorError in words for the operator
 */
export async function openStore(location: StoreLocation): Promise<Store> {
  const opened = 'file' in location ? openSqlite(location.file) : await openPostgres(location);
  const { dialect, transaction, snapshot, listen, problem, close } = opened;
  return {
    ...aggregates(databaseOf(opened)),
    isShared: dialect.isShared,
    listen,
    problem,
    transaction: (work) => transaction((trx) => work(aggregates(within(trx, dialect)))),
    snapshot: (read) => snapshot((trx) => read(aggregates(within(trx, dialect)))),
    close,
  };
}

function aggregates(db: Database) {
  return {
    issues: createIssueStore(db),
    list: createListing(db),
    versions: createVersionStore(db),
    artifacts: createArtifactStore(db),
    conversations: createConversationStore(db),
    changes: createChangeStore(db),
    sweep: createSweep(db),
    modelRequests: createModelRequestStore(db),
    fingerprints: createFingerprintStore(db),
    briefs: createIssueLookup(db),
  };
}

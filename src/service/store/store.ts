import type { IssueLookup } from '../agent/answer.ts';
import { type ArtifactStore, createArtifactStore } from './artifacts.ts';
import { type ChangeStore, createChangeStore } from './changes.ts';
import { type ConversationStore, createConversationStore } from './conversations.ts';
import { type Connection, isWritable, openDatabase } from './database.ts';
import { createIssueLookup } from './issue-lookup.ts';
import { createIssueStore, type IssueStore } from './issues.ts';
import { createListing } from './listing.ts';
import { createVersionStore, type VersionStore } from './versions.ts';

export interface Store {
  issues: IssueStore;
  list: ReturnType<typeof createListing>;
  versions: VersionStore;
  artifacts: ArtifactStore;
  conversations: ConversationStore;
  changes: ChangeStore;
  briefs: (organisation: string) => IssueLookup;
  /** Whether the file accepts a write. */
  writable(): boolean;
  /** All of it is written, or nothing. */
  atomically<T>(work: () => T): T;
  close(): void;
}

/** Opens everything that the service keeps, in one SQLite file (`:memory:` works too). */
export function openStore(file: string): Store {
  const db = openDatabase(file);
  return {
    issues: createIssueStore(db),
    list: createListing(db),
    versions: createVersionStore(db),
    artifacts: createArtifactStore(db),
    conversations: createConversationStore(db),
    changes: createChangeStore(db),
    briefs: createIssueLookup(db),
    writable: () => isWritable(db),
    atomically: (work) => atomically(db, work),
    close: () => db.close(),
  };
}

function atomically<T>(db: Connection, work: () => T): T {
  return db.transaction(work).immediate();
}

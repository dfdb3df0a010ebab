import { createHash } from 'node:crypto';
import type { Database } from './database.ts';

/** A change reported by a pipeline (`POST /changes`). */
export interface ReportedChange {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  service: string;
  kind: string;
  title: string;
  version: string | null;
  url: string | null;
}

export interface ChangeStore {
  /**
   * Stores a change, and deletes those too old to explain anything. A duplicate, sent by a pipeline that got no answer,
   * is not stored.
   */
  add(change: Omit<ReportedChange, 'id'>, options: { isDated: boolean; now: number }): Promise<Added>;
  /** Oldest first; the window is half open. */
  within(window: { from: number; to: number }): Promise<ReportedChange[]>;
}

interface Added {
  change: ReportedChange;
  isNew: boolean;
}

/** Longer than any investigation looks back. */
const KEPT_MS = 30 * 24 * 3_600_000;
/** An undated report repeated within this time is a retry. */
const RETRY_MS = 10 * 60_000;

const COLUMNS = ['id', 'at', 'service', 'kind', 'title', 'version', 'url'] as const;

export function createChangeStore(db: Database): ChangeStore {
  return {
    add: (change, { isDated, now }) =>
      db.transaction(async ({ query, dialect }): Promise<Added> => {
        const { at, service, kind, title, version, url } = change;
        const digest = digestOf([service, kind, title, version, url, isDated ? at : null]);
        await dialect.lock(query, digest);
        await query
          .deleteFrom('changes')
          .where('at', '<', now - KEPT_MS)
          .execute();
        const known = await query
          .selectFrom('changes')
          .select(COLUMNS)
          .where('digest', '=', digest)
          .where('at', '>=', isDated ? at : now - RETRY_MS)
          .orderBy('at', 'desc')
          .limit(1)
          .executeTakeFirst();
        if (known !== undefined) return { change: known, isNew: false };
        const added = { id: digestOf([digest, at]), ...change };
        await query
          .insertInto('changes')
          .values({ ...added, digest })
          .execute();
        return { change: added, isNew: true };
      }),
    within: ({ from, to }) =>
      db.query
        .selectFrom('changes')
        .select(COLUMNS)
        .where('at', '>=', from)
        .where('at', '<', to)
        .orderBy('at')
        .orderBy('id')
        .execute(),
  };
}

function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

import { createHash } from 'node:crypto';
import type { Connection } from './database.ts';

/** A change that a pipeline reported (`POST /changes`). */
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
   * Keeps a change, and forgets those that are too old to explain anything. The same one again, as a pipeline sends it
   * when the answer was lost, is not kept twice.
   */
  add(change: Omit<ReportedChange, 'id'>, options: { isDated: boolean; now: number }): Added;
  /** Oldest first; the window is half open. */
  within(window: { from: number; to: number }): ReportedChange[];
}

interface Added {
  change: ReportedChange;
  isNew: boolean;
}

/** Longer than any investigation looks back. */
const KEPT_MS = 30 * 24 * 3_600_000;
/** What is sent again within this time without a time of its own is a retry. */
const RETRY_MS = 10 * 60_000;

export function createChangeStore(db: Connection): ChangeStore {
  const insert = db.prepare<[ReportedChange & { digest: string }]>(
    `INSERT INTO changes (id, digest, at, service, kind, title, version, url)
     VALUES (@id, @digest, @at, @service, @kind, @title, @version, @url)`,
  );
  const latest = db.prepare<[string, number], ReportedChange>(
    `SELECT id, at, service, kind, title, version, url FROM changes
     WHERE digest = ? AND at >= ? ORDER BY at DESC LIMIT 1`,
  );
  const within = db.prepare<[{ from: number; to: number }], ReportedChange>(
    `SELECT id, at, service, kind, title, version, url FROM changes
     WHERE at >= @from AND at < @to ORDER BY at, id`,
  );
  const forget = db.prepare<[number]>('DELETE FROM changes WHERE at < ?');
  const add = db.transaction(
    (change: Omit<ReportedChange, 'id'>, { isDated, now }: { isDated: boolean; now: number }): Added => {
      forget.run(now - KEPT_MS);
      const { at, service, kind, title, version, url } = change;
      const digest = digestOf([service, kind, title, version, url, isDated ? at : null]);
      const known = latest.get(digest, isDated ? at : now - RETRY_MS);
      if (known !== undefined) return { change: known, isNew: false };
      const added = { id: digestOf([digest, at]), ...change };
      insert.run({ ...added, digest });
      return { change: added, isNew: true };
    },
  );
  return {
    add: (change, options) => add.immediate(change, options),
    within: ({ from, to }) => within.all({ from, to }),
  };
}

function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

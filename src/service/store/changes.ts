import { createHash } from 'node:crypto';
import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { Database } from './database.ts';
import type { ChangeRow } from './tables.ts';

export interface ReportedChange {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  service: string;
  kind: string;
  title: string;
  version: string | null;
  url: string | null;
  /** What it changed, if that was reported. */
  contents: ReportedContents | null;
}

const ReportedContents = z.object({
  /** The version that ran before. */
  before: z.string().nullable(),
  /** Files and their diff. */
  details: z.string().nullable(),
  authors: z.array(z.string()).readonly().optional(),
  files: z.array(z.string()).readonly().optional(),
});
export type ReportedContents = z.infer<typeof ReportedContents>;

interface Added {
  change: ReportedChange;
  isNew: boolean;
}

/** Longer than any investigation looks back. */
const KEPT_MS = 30 * 24 * 3_600_000;
/** An undated report repeated within this time is a retry. */
const RETRY_MS = 10 * 60_000;

const COLUMNS = ['id', 'at', 'service', 'kind', 'title', 'version', 'url', 'contents'] as const;

export function createChangeStore(db: Database) {
  return {
    /**
     * Stores a change, and deletes those too old to explain anything. A duplicate, sent by a pipeline that got no answer,
     * is not stored.
     */
    add: (
      change: Omit<ReportedChange, 'id'>,
      { isDated, now }: { isDated: boolean; now: number },
    ): Promise<Added> =>
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
        if (known !== undefined) return { change: read(known), isNew: false };
        const added = { id: digestOf([digest, at]), ...change };
        const contents = change.contents === null ? null : JSON.stringify(change.contents);
        await query
          .insertInto('changes')
          .values({ ...added, contents, digest })
          .execute();
        return { change: added, isNew: true };
      }),
    /** Oldest first; the window is half open. */
    within: async ({ from, to }: { from: number; to: number }): Promise<ReportedChange[]> => {
      const rows = await db.query
        .selectFrom('changes')
        .select(COLUMNS)
        .where('at', '>=', from)
        .where('at', '<', to)
        .orderBy('at')
        .orderBy('id')
        .execute();
      return rows.map(read);
    },
    /** The same without what they changed, which is long. */
    versionsWithin: ({
      from,
      to,
    }: {
      from: number;
      to: number;
    }): Promise<Pick<ReportedChange, 'at' | 'service' | 'kind' | 'version'>[]> =>
      db.query
        .selectFrom('changes')
        .select(['at', 'service', 'kind', 'version'])
        .where('at', '>=', from)
        .where('at', '<', to)
        .orderBy('at')
        .orderBy('id')
        .execute(),
  };
}

export type ChangeStore = ReturnType<typeof createChangeStore>;

function read({ contents, ...row }: Pick<ChangeRow, (typeof COLUMNS)[number]>): ReportedChange {
  return { ...row, contents: contents === null ? null : decodeStored(ReportedContents, contents) };
}

function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

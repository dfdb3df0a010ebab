import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { Database } from './tables.ts';

const FoundSoFar = z.object({
  /** Whether there is a description of what happened. */
  overview: z.boolean(),
  /** Evidence that counts, and evidence that was ruled out. */
  evidence: z.number(),
  ruledOut: z.number(),
  /** Causes and effects in the graph. */
  causes: z.number(),
});
/** What a running investigation has found so far, as far as it is shown. */
export type FoundSoFar = z.infer<typeof FoundSoFar>;

const NOTHING: FoundSoFar = { overview: false, evidence: 0, ruledOut: 0, causes: 0 };

/** Progress of the investigations that somebody asked for and is waiting for, one row per issue. */
export function progressStore(db: Database) {
  const save = async (issueId: string, found: FoundSoFar): Promise<void> => {
    await db
      .insertInto('progress')
      .values({ issueId, found: JSON.stringify(found) })
      .onConflict((c) => c.column('issueId').doUpdateSet({ found: JSON.stringify(found) }))
      .execute();
  };
  return {
    /** Somebody asked for an investigation of the issue; nothing is known yet. */
    begin: (issueId: string): Promise<void> => save(issueId, NOTHING),

    /** `null` if nobody asked for it. */
    of: async (issueId: string): Promise<FoundSoFar | null> => {
      const row = await db
        .selectFrom('progress')
        .select('found')
        .where('issueId', '=', issueId)
        .executeTakeFirst();
      return row === undefined ? null : (decodeStored(FoundSoFar, row.found) ?? NOTHING);
    },

    save,
  };
}

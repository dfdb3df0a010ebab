import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import { Fingerprint, InsideChange } from '../databases/fingerprint.ts';
import type { Database } from './database.ts';

/** What is known of the inside of one database: how it was last, and what changed in the last days. */
const Kept = z.object({ last: Fingerprint, changes: z.array(InsideChange) });
type Kept = z.infer<typeof Kept>;

export function createFingerprintStore(db: Database) {
  return {
    /** `null` if there is none yet. */
    of: async (database: string): Promise<Kept | null> => {
      const row = await db.query
        .selectFrom('fingerprints')
        .select('body')
        .where('database', '=', database)
        .executeTakeFirst();
      return row === undefined ? null : decodeStored(Kept, row.body);
    },
    /**
     * Stores a newer one. False, with nothing stored, if another replica has stored one since `after` (the time of the one
     * that it was compared with; `null` for none).
     */
    replace: (database: string, kept: Kept, after: number | null): Promise<boolean> =>
      db.transaction(async ({ query, dialect }) => {
        await dialect.lock(query, `fingerprint of ${database}`);
        const row = await query
          .selectFrom('fingerprints')
          .select('body')
          .where('database', '=', database)
          .executeTakeFirst();
        const known = row === undefined ? null : decodeStored(Kept, row.body);
        if ((known?.last.at ?? null) !== after) return false;
        const values = { at: kept.last.at, body: JSON.stringify(kept) };
        if (row === undefined)
          await query
            .insertInto('fingerprints')
            .values({ database, ...values })
            .execute();
        else await query.updateTable('fingerprints').set(values).where('database', '=', database).execute();
        return true;
      }),
    /** What changed inside any of them, that may have happened in a window. */
    changes: async ({ from, to }: { from: number; to: number }): Promise<InsideChange[]> => {
      const rows = await db.query.selectFrom('fingerprints').select('body').where('at', '>=', from).execute();
      return rows
        .flatMap(({ body }) => decodeStored(Kept, body)?.changes ?? [])
        .filter((one) => one.before >= from && one.after < to);
    },
  };
}

export type FingerprintStore = ReturnType<typeof createFingerprintStore>;

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { Database } from './tables.ts';

const Pause = z.object({ by: z.string(), at: z.number() });
/** Who paused filing everywhere, and when (milliseconds). */
export type Pause = z.infer<typeof Pause>;

export type FlagStore = ReturnType<typeof flagStore>;

/** Flags for the whole workspace. An unreadable flag blocks nothing. */
export function flagStore(db: Database) {
  return {
    /** Since when and by whom filing is paused; `null` if it is not. */
    paused: async (): Promise<Pause | null> => {
      const row = await db
        .selectFrom('flags')
        .select('value')
        .where('name', '=', 'paused')
        .executeTakeFirst();
      return row ? decodeStored(Pause, row.value) : null;
    },
    /** Pauses; an earlier pause stays as it is. */
    pause: async (pause: Pause): Promise<void> => {
      await db
        .insertInto('flags')
        .values({ name: 'paused', value: JSON.stringify(pause) })
        .onConflict((c) => c.doNothing())
        .execute();
    },
    /**
     * Whether the database is writable. A write that changes nothing needs no disk space, so this really stores
     * something.
     */
    probe: async (): Promise<boolean> => {
      const value = randomUUID();
      try {
        await db
          .insertInto('flags')
          .values({ name: 'probe', value })
          .onConflict((c) => c.column('name').doUpdateSet({ value }))
          .execute();
        return true;
      } catch {
        return false;
      }
    },
    resume: async (): Promise<void> => {
      await db.deleteFrom('flags').where('name', '=', 'paused').execute();
    },
  };
}

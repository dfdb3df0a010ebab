import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { Database } from './tables.ts';

const Pause = z.object({ by: z.string(), at: z.number() });
/** Who paused filing everywhere, and when (milliseconds). */
export type Pause = z.infer<typeof Pause>;

const UNHEARD = 'unheard';
const Unheard = z.object({ since: z.number() });

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
    /** Since when we may have missed people's messages, in milliseconds; `null` if nothing may be missing. */
    unheardSince: async (): Promise<number | null> => {
      const row = await db.selectFrom('flags').select('value').where('name', '=', UNHEARD).executeTakeFirst();
      return (row && decodeStored(Unheard, row.value)?.since) ?? null;
    },
    /** Messages may be missing from then on; an earlier gap stays. */
    openUnheard: async (since: number): Promise<void> => {
      await db
        .insertInto('flags')
        .values({ name: UNHEARD, value: JSON.stringify({ since }) })
        .onConflict((c) => c.doNothing())
        .execute();
    },
    /** The gap was read in full. */
    closeUnheard: async (): Promise<void> => {
      await db.deleteFrom('flags').where('name', '=', UNHEARD).execute();
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

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import { afterPrefix } from './prefix.ts';
import type { Database } from './tables.ts';

const Pause = z.object({ by: z.string(), at: z.number() });
/** Who stopped filing everywhere, and when (milliseconds). */
export type Pause = z.infer<typeof Pause>;

const UNHEARD = 'unheard';
const Unheard = z.object({ since: z.number() });

const REFUSED_BLOCK = 'refused_block';
const RefusedBlock = z.object({ since: z.number() });

export type FlagStore = ReturnType<typeof flagStore>;

/** What holds for the whole workspace. A flag that cannot be read holds nothing up. */
export function flagStore(db: Database) {
  return {
    /** Whether filing is paused, since when and by whom; `null` while it goes on. */
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
    /** Since when people may have written to us unheard, in milliseconds; `null` while nothing may be missing. */
    unheardSince: async (): Promise<number | null> => {
      const row = await db.selectFrom('flags').select('value').where('name', '=', UNHEARD).executeTakeFirst();
      return (row && decodeStored(Unheard, row.value)?.since) ?? null;
    },
    /** From then on something may be missing; what an earlier gap left stays to be read. */
    openUnheard: async (since: number): Promise<void> => {
      await db
        .insertInto('flags')
        .values({ name: UNHEARD, value: JSON.stringify({ since }) })
        .onConflict((c) => c.doNothing())
        .execute();
    },
    /** All of it was read. */
    closeUnheard: async (): Promise<void> => {
      await db.deleteFrom('flags').where('name', '=', UNHEARD).execute();
    },
    /** The types of blocks that a workspace refuses, and since when, in milliseconds. */
    refusedBlocks: async (teamId: string): Promise<Map<string, number>> => {
      const prefix = `${REFUSED_BLOCK}:${teamId}:`;
      const rows = await db
        .selectFrom('flags')
        .selectAll()
        .where('name', '>=', prefix)
        .where('name', '<', afterPrefix(prefix))
        .execute();
      return new Map(
        rows.flatMap(({ name, value }) => {
          const since = decodeStored(RefusedBlock, value)?.since;
          return since === undefined ? [] : [[name.slice(prefix.length), since] as const];
        }),
      );
    },
    refuseBlock: async (teamId: string, type: string, since: number): Promise<void> => {
      const value = JSON.stringify({ since });
      await db
        .insertInto('flags')
        .values({ name: `${REFUSED_BLOCK}:${teamId}:${type}`, value })
        .onConflict((c) => c.column('name').doUpdateSet({ value }))
        .execute();
    },
    /** Whether something can be stored: it is, since a write that changes nothing needs no room on the disk. */
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

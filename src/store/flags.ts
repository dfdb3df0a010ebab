import { z } from 'zod';
import type { Database } from './tables.ts';

const Pause = z.object({ by: z.string(), at: z.number() });
/** Who stopped filing everywhere, and when (milliseconds). */
export type Pause = z.infer<typeof Pause>;

export type FlagStore = ReturnType<typeof flagStore>;

/** What holds for the whole workspace. */
export function flagStore(db: Database) {
  return {
    /** Whether filing is paused, since when and by whom; `null` while it goes on. */
    paused: async (): Promise<Pause | null> => {
      const row = await db
        .selectFrom('flags')
        .select('value')
        .where('name', '=', 'paused')
        .executeTakeFirst();
      return row ? Pause.parse(JSON.parse(row.value)) : null;
    },
    /** Pauses; an earlier pause stays as it is. */
    pause: async (pause: Pause): Promise<void> => {
      await db
        .insertInto('flags')
        .values({ name: 'paused', value: JSON.stringify(pause) })
        .onConflict((c) => c.doNothing())
        .execute();
    },
    resume: async (): Promise<void> => {
      await db.deleteFrom('flags').where('name', '=', 'paused').execute();
    },
  };
}

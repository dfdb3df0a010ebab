import type { Database } from './tables.ts';

export type ChangeStore = ReturnType<typeof changeStore>;

/** A change that a person wants, before the service hears of it; `at` in milliseconds. */
export interface WantedChange {
  /** What a press or a command causes: the same when its stored delivery is taken up again. */
  cause: string;
  /** The version that its issue had then; 0 if it is none of ours. */
  version: number;
  at: number;
}

/** How far a change is. */
export interface BegunChange {
  /** As it was when it was begun for the first time. */
  version: number;
  /** An earlier life began it, and the service may have heard of it. */
  isTakenUp: boolean;
  /** What came of it is kept: nothing is left to do. */
  isRecorded: boolean;
}

/** What people change at the service: each is kept before it is done, so that it is never done twice, nor forgotten. */
export function changeStore(db: Database) {
  return {
    /** Keeps a change that is to be done now, or answers how far it is. */
    begin: async ({ cause, version, at }: WantedChange): Promise<BegunChange> => {
      const added = await db
        .insertInto('changes')
        .values({ cause, version, at })
        .onConflict((c) => c.doNothing())
        .returning('cause')
        .executeTakeFirst();
      if (added !== undefined) return { version, isTakenUp: false, isRecorded: false };
      const known = await db
        .selectFrom('changes')
        .select(['version', 'recorded'])
        .where('cause', '=', cause)
        .executeTakeFirstOrThrow();
      return { version: known.version, isTakenUp: true, isRecorded: known.recorded };
    },

    /** Whether it was begun, by this life or an earlier one. */
    isBegun: async (cause: string): Promise<boolean> => {
      const rows = db.selectFrom('changes').select('cause').where('cause', '=', cause);
      return (await rows.executeTakeFirst()) !== undefined;
    },

    /** What came of it is kept, in the same transaction. */
    recorded: async (cause: string): Promise<void> => {
      await db.updateTable('changes').set({ recorded: true }).where('cause', '=', cause).execute();
    },

    /** The service did not take it, and the person was told. */
    forget: async (cause: string): Promise<void> => {
      await db.deleteFrom('changes').where('cause', '=', cause).where('recorded', '=', false).execute();
    },
  };
}

import type { Database } from './tables.ts';

/** A change that a person wants, before it is sent to the service; `at` in milliseconds. */
export interface WantedChange {
  /** The press or command behind it: the same if its stored delivery is handled again. */
  cause: string;
  /** The version at that time; 0 if the issue is not ours. */
  version: number;
  at: number;
}

/** How far a change has got. */
export interface BegunChange {
  /** As of the first time it was begun. */
  version: number;
  /** Begun before a restart, so the service may already have received it. */
  isTakenUp: boolean;
  /** Its outcome is stored: nothing is left to do. */
  isRecorded: boolean;
}

/** Changes that people make at the service. Each is stored before it is sent, so it is neither repeated nor lost. */
export function changeStore(db: Database) {
  return {
    /** Stores a change that is about to be sent, or returns how far it has got. */
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

    /** Whether it was begun, before or after the last restart. */
    isBegun: async (cause: string): Promise<boolean> => {
      const rows = db.selectFrom('changes').select('cause').where('cause', '=', cause);
      return (await rows.executeTakeFirst()) !== undefined;
    },

    /** Its outcome is stored, in the same transaction. */
    recorded: async (cause: string): Promise<void> => {
      await db.updateTable('changes').set({ recorded: true }).where('cause', '=', cause).execute();
    },

    /** The service refused it, and the person was told. */
    forget: async (cause: string): Promise<void> => {
      await db.deleteFrom('changes').where('cause', '=', cause).where('recorded', '=', false).execute();
    },
  };
}

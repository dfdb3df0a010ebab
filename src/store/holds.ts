import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

/** Alerts held back under one rolling message (DESIGN section 4, *Filing*). */
export type Hold = Selectable<Tables['holds']>;

export type HoldStore = ReturnType<typeof holdStore>;

export function holdStore(db: Database) {
  return {
    get: async (id: string): Promise<Hold | null> =>
      (await db.selectFrom('holds').selectAll().where('id', '=', id).executeTakeFirst()) ?? null,

    /** The hold that one more alert joins: open, of the same sort, and added to since `since`. */
    current: async (channel: string, paused: boolean, since: number): Promise<Hold | null> =>
      (await db
        .selectFrom('holds')
        .selectAll()
        .where('channel', '=', channel)
        .where('state', '!=', 'closed')
        .where('reason', paused ? '=' : '!=', 'paused')
        .where('last_at', '>', since)
        .orderBy('created_at', 'desc')
        .executeTakeFirst()) ?? null,

    add: async (hold: Hold): Promise<void> => {
      await db.insertInto('holds').values(hold).execute();
    },

    /** One more alert came. */
    grow: async (id: string, at: number): Promise<void> => {
      await db.updateTable('holds').set({ last_at: at, state: 'rolling' }).where('id', '=', id).execute();
    },

    become: async (id: string, state: Hold['state']): Promise<void> => {
      await db.updateTable('holds').set({ state }).where('id', '=', id).execute();
    },

    /** Rolling holds to which nothing was added since then: the storm is over. */
    calm: (since: number): Promise<Hold[]> =>
      db
        .selectFrom('holds')
        .selectAll()
        .where('state', '=', 'rolling')
        .where('reason', '!=', 'paused')
        .where('last_at', '<=', since)
        .execute(),

    /** What a pause held back, one hold a channel. */
    ofPause: (): Promise<Hold[]> =>
      db
        .selectFrom('holds')
        .selectAll()
        .where('reason', '=', 'paused')
        .where('state', '!=', 'closed')
        .execute(),
  };
}

import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

/** Something that does not work until somebody fixes it, and since when (milliseconds). */
export type Blocker = Selectable<Tables['blockers']>;
export type BlockerStore = ReturnType<typeof blockerStore>;

/** Current blockers. Each is reported once, to the people who can fix it (DESIGN section 5, *Gone*). */
export function blockerStore(db: Database) {
  const get = async (name: string): Promise<Blocker | null> =>
    (await db.selectFrom('blockers').selectAll().where('name', '=', name).executeTakeFirst()) ?? null;
  return {
    get,

    /** @returns false if it is already open: it is not reported again */
    begin: async (trouble: Blocker): Promise<boolean> => {
      const before = await get(trouble.name);
      if (before?.reason === trouble.reason) return false;
      await db
        .insertInto('blockers')
        .values(trouble)
        .onConflict((c) =>
          c
            .column('name')
            .doUpdateSet({ reason: trouble.reason, since: trouble.since, detail: trouble.detail }),
        )
        .execute();
      return true;
    },

    /** It is fixed. @returns what it was, or `null` if it was not open */
    end: async (name: string): Promise<Blocker | null> =>
      (await db.deleteFrom('blockers').where('name', '=', name).returningAll().executeTakeFirst()) ?? null,

    /** All open blockers, oldest first. */
    open: (): Promise<Blocker[]> => db.selectFrom('blockers').selectAll().orderBy('since').execute(),
  };
}

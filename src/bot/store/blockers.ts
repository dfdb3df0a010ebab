import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

/** Something that does not work until somebody fixes it, and since when (milliseconds). */
export type Blocker = Selectable<Tables['blockers']>;
/** Current blockers. Each is reported once, to the people who can fix it. */
export function blockerStore(db: Database) {
  const get = async (name: string): Promise<Blocker | null> =>
    (await db.selectFrom('blockers').selectAll().where('name', '=', name).executeTakeFirst()) ?? null;
  return {
    get,

    /** @returns false if it is already open: it is not reported again */
    begin: async (problem: Blocker): Promise<boolean> => {
      const before = await get(problem.name);
      if (before?.reason === problem.reason) return false;
      await db
        .insertInto('blockers')
        .values(problem)
        .onConflict((c) =>
          c
            .column('name')
            .doUpdateSet({ reason: problem.reason, since: problem.since, detail: problem.detail }),
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

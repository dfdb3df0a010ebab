import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

/** Something that does not work until somebody fixes it, and since when (milliseconds). */
export type StoredProblem = Selectable<Tables['blockers']>;

/** Open problems. Each is reported once, to the people who can fix it. */
export function problemStore(db: Database) {
  const get = async (name: string): Promise<StoredProblem | null> =>
    (await db.selectFrom('blockers').selectAll().where('name', '=', name).executeTakeFirst()) ?? null;
  return {
    get,

    /** @returns false if it is already open: it is not reported again */
    begin: async (problem: StoredProblem): Promise<boolean> => {
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
    end: async (name: string): Promise<StoredProblem | null> =>
      (await db.deleteFrom('blockers').where('name', '=', name).returningAll().executeTakeFirst()) ?? null,

    /** All open problems, oldest first. */
    open: (): Promise<StoredProblem[]> => db.selectFrom('blockers').selectAll().orderBy('since').execute(),
  };
}

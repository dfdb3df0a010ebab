import type { Selectable } from 'kysely';
import { AT_ONCE, isDue, untilNext } from './due.ts';
import type { Database, Tables } from './tables.ts';
import { type Wake, wakeNobody } from './wakeups.ts';

export type ArtifactRow = Selectable<Tables['artifacts']>;

const QUESTION = 'question:';

/** The owner of an answer's evidence. */
export function questionOwner(questionId: string): string {
  return `${QUESTION}${questionId}`;
}

/** The question behind an owner; `null` for an issue. */
export function questionOf(owner: string): string | null {
  return owner.startsWith(QUESTION) ? owner.slice(QUESTION.length) : null;
}

/** Evidence as the service sent it (contract 2.8), keyed by what refers to it: an issue's id, or `question:<id>`. */
export function artifactStore(db: Database, wake: Wake = wakeNobody) {
  const set = async (
    { owner, id }: Pick<ArtifactRow, 'owner' | 'id'>,
    values: Partial<Omit<ArtifactRow, 'owner' | 'id'>>,
  ): Promise<boolean> => {
    const changed = await db
      .updateTable('artifacts')
      .set(values)
      .where((e) => e.and({ owner, id }))
      .executeTakeFirst();
    return changed.numUpdatedRows > 0n;
  };
  return {
    get: async (owner: string, id: string): Promise<ArtifactRow | null> =>
      (await db
        .selectFrom('artifacts')
        .selectAll()
        .where((e) => e.and({ owner, id }))
        .executeTakeFirst()) ?? null,

    /** Requests evidence, each piece once: earlier requests stay as they are. */
    want: async (owner: string, ids: readonly string[]): Promise<void> => {
      for (const id of new Set(ids)) {
        const { numInsertedOrUpdatedRows: added = 0n } = await db
          .insertInto('artifacts')
          .values({ owner, id, state: 'wanted', body: null, nextAt: AT_ONCE, fetchedAt: null })
          .onConflict((c) => c.doNothing())
          .executeTakeFirst();
        if (added > 0n) wake('artifacts');
      }
    },

    /** Evidence to fetch now, longest wait first. */
    due: (now: number, limit: number): Promise<ArtifactRow[]> =>
      db
        .selectFrom('artifacts')
        .selectAll()
        .where('state', '=', 'wanted')
        .where(isDue(now, 10 * 60_000))
        .orderBy('nextAt')
        .limit(limit)
        .execute(),

    untilNext: (now: number): Promise<number> =>
      untilNext(db.selectFrom('artifacts').where('state', '=', 'wanted'), now),

    /** @returns false if its owner was deleted meanwhile */
    keep: (owner: string, id: string, body: string, at: number): Promise<boolean> =>
      set({ owner, id }, { state: 'kept', body, fetchedAt: at }),

    /** The service does not have it. */
    missing: (owner: string, id: string): Promise<boolean> => set({ owner, id }, { state: 'missing' }),

    /** Fetching failed; `nextAt` is `null` if there is no automatic retry. */
    again: async (owner: string, id: string, nextAt: number | null): Promise<void> => {
      await db
        .updateTable('artifacts')
        .set((e) => ({
          attempts: e('attempts', '+', 1),
          ...(nextAt === null ? { state: 'failed' as const } : { nextAt: nextAt }),
        }))
        .where((e) => e.and({ owner, id, state: 'wanted' }))
        .execute();
    },

    /** Delays it, without counting an attempt. */
    postpone: (owner: string, id: string, nextAt: number): Promise<boolean> =>
      set({ owner, id }, { nextAt: nextAt }),
  };
}

import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

export type ArtifactRow = Selectable<Tables['artifacts']>;
export type ArtifactStore = ReturnType<typeof artifactStore>;

const QUESTION = 'question:';

/** Under what the evidence of an answer is kept. */
export function questionOwner(questionId: string): string {
  return `${QUESTION}${questionId}`;
}

/** The question that an owner is; `null` for an issue. */
export function questionOf(owner: string): string | null {
  return owner.startsWith(QUESTION) ? owner.slice(QUESTION.length) : null;
}

/** Evidence as the service gave it (contract 2.8), each under what refers to it: an issue's id, or `question:<id>`. */
export function artifactStore(db: Database) {
  const set = async (
    { owner, id }: Pick<ArtifactRow, 'owner' | 'id'>,
    values: Partial<Omit<ArtifactRow, 'owner' | 'id'>>,
  ): Promise<boolean> => {
    const changed = await db
      .updateTable('artifacts')
      .set(values)
      .where('owner', '=', owner)
      .where('id', '=', id)
      .executeTakeFirst();
    return changed.numUpdatedRows > 0n;
  };
  return {
    get: async (owner: string, id: string): Promise<ArtifactRow | null> =>
      (await db
        .selectFrom('artifacts')
        .selectAll()
        .where('owner', '=', owner)
        .where('id', '=', id)
        .executeTakeFirst()) ?? null,

    /** Whether there is evidence under an owner, fetched or not. */
    isReferredTo: async (owner: string): Promise<boolean> => {
      const first = await db
        .selectFrom('artifacts')
        .select('id')
        .where('owner', '=', owner)
        .limit(1)
        .executeTakeFirst();
      return first !== undefined;
    },

    /** Asks for evidence, each once: what has been asked for stays as it is. */
    want: async (owner: string, ids: readonly string[], at: number): Promise<void> => {
      for (const id of new Set(ids)) {
        await db
          .insertInto('artifacts')
          .values({ owner, id, state: 'wanted', body: null, nextAt: at, fetchedAt: null })
          .onConflict((c) => c.doNothing())
          .execute();
      }
    },

    /** What is to be fetched now, the longest awaited first. */
    due: (now: number, limit: number): Promise<ArtifactRow[]> =>
      db
        .selectFrom('artifacts')
        .selectAll()
        .where('state', '=', 'wanted')
        .where('nextAt', '<=', now)
        .orderBy('nextAt')
        .limit(limit)
        .execute(),

    /** @returns false if nobody wants it any more: what it belongs to was deleted. */
    keep: (owner: string, id: string, body: string, at: number): Promise<boolean> =>
      set({ owner, id }, { state: 'kept', body, fetchedAt: at }),

    /** The service does not know it. */
    missing: (owner: string, id: string): Promise<boolean> => set({ owner, id }, { state: 'missing' }),

    /** Fetching failed; `nextAt` is `null` if it is not tried again by itself. */
    again: async (owner: string, id: string, nextAt: number | null): Promise<void> => {
      await db
        .updateTable('artifacts')
        .set((e) => ({
          attempts: e('attempts', '+', 1),
          ...(nextAt === null ? { state: 'failed' as const } : { nextAt: nextAt }),
        }))
        .where('owner', '=', owner)
        .where('id', '=', id)
        .where('state', '=', 'wanted')
        .execute();
    },

    /** Not now: that nothing was asked is no attempt. */
    postpone: (owner: string, id: string, nextAt: number): Promise<boolean> =>
      set({ owner, id }, { nextAt: nextAt }),
  };
}

import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

export type Note = Selectable<Tables['notes']>;

/** What people wrote down about an issue. */
export function noteStore(db: Database) {
  const byCause = async (cause: string): Promise<number | null> =>
    (await db.selectFrom('notes').select('number').where('cause', '=', cause).executeTakeFirst())?.number ??
    null;
  return {
    /** @returns its number within the issue; repeating a `cause` adds nothing */
    add: async (note: Omit<Note, 'number' | 'editedAt'>): Promise<number> => {
      const known = await byCause(note.cause);
      if (known !== null) return known;
      const { last } = await db
        .selectFrom('notes')
        .select((e) => e.fn.max<number | null>('number').as('last'))
        .where('issueId', '=', note.issueId)
        .executeTakeFirstOrThrow();
      const number = Number(last ?? 0) + 1;
      await db
        .insertInto('notes')
        .values({ ...note, number, editedAt: null })
        .execute();
      return number;
    },

    /** In order. */
    ofIssue: (issueId: string): Promise<Note[]> =>
      db.selectFrom('notes').selectAll().where('issueId', '=', issueId).orderBy('number').execute(),

    /** @returns false if that person has no such note */
    rewrite: async (
      { issueId, number, who }: Pick<Note, 'issueId' | 'number' | 'who'>,
      text: string,
      editedAt: number,
    ): Promise<boolean> => {
      const changed = await db
        .updateTable('notes')
        .set({ text, editedAt })
        .where((e) => e.and({ issueId, number, who }))
        .returning('number')
        .executeTakeFirst();
      return changed !== undefined;
    },

    /** @returns false if that person has no such note */
    remove: async ({ issueId, number, who }: Pick<Note, 'issueId' | 'number' | 'who'>): Promise<boolean> => {
      const removed = await db
        .deleteFrom('notes')
        .where((e) => e.and({ issueId, number, who }))
        .returning('number')
        .executeTakeFirst();
      return removed !== undefined;
    },
  };
}

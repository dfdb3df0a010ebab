import type { Selectable, Updateable } from 'kysely';
import type { Database, Tables } from './tables.ts';

export type TicketRow = Selectable<Tables['tickets']>;
export type TicketStore = ReturnType<typeof ticketStore>;

/** One ticket per issue at the tracker. */
export function ticketStore(db: Database) {
  return {
    get: async (issueId: string): Promise<TicketRow | null> =>
      (await db.selectFrom('tickets').selectAll().where('issueId', '=', issueId).executeTakeFirst()) ?? null,

    /** Somebody wants one: again, if it was refused; @returns false if there is one, or one is on its way */
    want: async (issueId: string, by: string, at: number): Promise<boolean> => {
      const fresh = { state: 'wanted' as const, wantedBy: by, attempts: 0, nextAt: at, failure: null };
      const row = await db
        .insertInto('tickets')
        .values({ issueId, ...fresh, key: null, url: null, status: null, said: 'open' })
        .onConflict((c) => c.column('issueId').doUpdateSet(fresh).where('tickets.state', '=', 'failed'))
        .returning('issueId')
        .executeTakeFirst();
      return row !== undefined;
    },

    due: (now: number, limit: number): Promise<TicketRow[]> =>
      db
        .selectFrom('tickets')
        .selectAll()
        .where('state', '!=', 'failed')
        .where('nextAt', '<=', now)
        .orderBy('nextAt')
        .limit(limit)
        .execute(),

    update: async (issueId: string, set: Updateable<Tables['tickets']>): Promise<void> => {
      await db.updateTable('tickets').set(set).where('issueId', '=', issueId).execute();
    },
  };
}

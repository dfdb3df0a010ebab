import type { Database } from './tables.ts';

export type ResultStore = ReturnType<typeof resultStore>;

/** Investigation results as the service gave them (contract 2.7), one row a version, as JSON. */
export function resultStore(db: Database) {
  return {
    save: async (issueId: string, version: number, body: string, fetchedAt: number): Promise<void> => {
      await db
        .insertInto('results')
        .values({ issue_id: issueId, version, body, fetched_at: fetchedAt })
        .onConflict((c) => c.columns(['issue_id', 'version']).doUpdateSet({ body, fetched_at: fetchedAt }))
        .execute();
    },
    get: async (issueId: string, version: number): Promise<string | null> => {
      const row = await db
        .selectFrom('results')
        .select('body')
        .where('issue_id', '=', issueId)
        .where('version', '=', version)
        .executeTakeFirst();
      return row?.body ?? null;
    },
    /** The newest of those before a version. */
    before: async (issueId: string, version: number): Promise<{ version: number; body: string } | null> => {
      const row = await db
        .selectFrom('results')
        .select(['version', 'body'])
        .where('issue_id', '=', issueId)
        .where('version', '<', version)
        .orderBy('version', 'desc')
        .executeTakeFirst();
      return row ?? null;
    },
    /** When the newest of all came. */
    newestAt: async (): Promise<number> => {
      const row = await db
        .selectFrom('results')
        .select((e) => e.fn.max('fetched_at').as('at'))
        .executeTakeFirst();
      return row?.at ?? 0;
    },
    latest: async (issueId: string): Promise<{ version: number; body: string } | null> => {
      const row = await db
        .selectFrom('results')
        .select(['version', 'body'])
        .where('issue_id', '=', issueId)
        .orderBy('version', 'desc')
        .executeTakeFirst();
      return row ?? null;
    },
  };
}

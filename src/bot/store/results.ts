import type { Database } from './tables.ts';

/** Investigation results as the service sent them (contract 2.7), one row per version, as JSON. */
export function resultStore(db: Database) {
  return {
    save: async (issueId: string, version: number, body: string, fetchedAt: number): Promise<void> => {
      await db
        .insertInto('results')
        .values({ issueId: issueId, version, body, fetchedAt: fetchedAt })
        .onConflict((c) => c.columns(['issueId', 'version']).doUpdateSet({ body, fetchedAt: fetchedAt }))
        .execute();
    },
    get: async (issueId: string, version: number): Promise<string | null> => {
      const row = await db
        .selectFrom('results')
        .select('body')
        .where('issueId', '=', issueId)
        .where('version', '=', version)
        .executeTakeFirst();
      return row?.body ?? null;
    },
    /** When a version's results were stored, in milliseconds; `null` if there are none. */
    at: async (issueId: string, version: number): Promise<number | null> => {
      const row = await db
        .selectFrom('results')
        .select('fetchedAt')
        .where('issueId', '=', issueId)
        .where('version', '=', version)
        .executeTakeFirst();
      return row?.fetchedAt ?? null;
    },
    /** The newest results before a version. */
    before: async (issueId: string, version: number): Promise<{ version: number; body: string } | null> => {
      const row = await db
        .selectFrom('results')
        .select(['version', 'body'])
        .where('issueId', '=', issueId)
        .where('version', '<', version)
        .orderBy('version', 'desc')
        .executeTakeFirst();
      return row ?? null;
    },
    /** All versions, oldest first. */
    all: async (issueId: string): Promise<string[]> => {
      const rows = db.selectFrom('results').select('body').where('issueId', '=', issueId);
      return (await rows.orderBy('version').execute()).map(({ body }) => body);
    },
    latest: async (issueId: string): Promise<{ version: number; body: string } | null> => {
      const row = await db
        .selectFrom('results')
        .select(['version', 'body'])
        .where('issueId', '=', issueId)
        .orderBy('version', 'desc')
        .executeTakeFirst();
      return row ?? null;
    },
  };
}

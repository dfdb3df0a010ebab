import { InvestigationResults } from '../../contract/answers.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { Database } from './tables.ts';

export interface StoredResults {
  version: number;
  /** `null` if what is stored is damaged. */
  results: InvestigationResults | null;
}

/** Investigation results as the service sent them (contract 2.7), and what was changed since, one row per version, as JSON. */
export function resultStore(db: Database) {
  const rowsOf = (issueId: string) =>
    db.selectFrom('results').select(['version', 'body']).where('issueId', '=', issueId);
  const first = async (rows: ReturnType<typeof rowsOf>): Promise<StoredResults | null> => {
    const row = await rows.executeTakeFirst();
    return row === undefined ? null : decoded(row);
  };
  return {
    save: async (issueId: string, version: number, body: string, fetchedAt: number): Promise<void> => {
      await db
        .insertInto('results')
        .values({ issueId, version, body, fetchedAt })
        .onConflict((c) => c.columns(['issueId', 'version']).doUpdateSet({ body, fetchedAt }))
        .execute();
    },
    get: (issueId: string, version: number): Promise<StoredResults | null> =>
      first(rowsOf(issueId).where('version', '=', version)),
    latest: (issueId: string): Promise<StoredResults | null> =>
      first(rowsOf(issueId).orderBy('version', 'desc')),
    /** The newest, as far as they can be read. */
    newest: async (issueId: string): Promise<InvestigationResults | null> =>
      (await first(rowsOf(issueId).orderBy('version', 'desc')))?.results ?? null,
    /** The newest of those that were stored from one moment on, and before another; milliseconds. */
    within: async (
      issueId: string,
      from: number,
      until: number | null,
    ): Promise<InvestigationResults | null> => {
      const rows = rowsOf(issueId).where('fetchedAt', '>=', from).orderBy('version', 'desc');
      return (await first(until === null ? rows : rows.where('fetchedAt', '<', until)))?.results ?? null;
    },
    before: (issueId: string, version: number): Promise<StoredResults | null> =>
      first(rowsOf(issueId).where('version', '<', version).orderBy('version', 'desc')),
    /** All versions, oldest first. */
    all: async (issueId: string): Promise<StoredResults[]> =>
      (await rowsOf(issueId).orderBy('version').execute()).map(decoded),
    /** When a version's results were stored, in milliseconds; `null` if there are none. */
    at: async (issueId: string, version: number): Promise<number | null> => {
      const row = await rowsOf(issueId).select('fetchedAt').where('version', '=', version).executeTakeFirst();
      return row?.fetchedAt ?? null;
    },
  };
}

function decoded({ version, body }: { version: number; body: string }): StoredResults {
  return { version, results: decodeStored(InvestigationResults, body) };
}

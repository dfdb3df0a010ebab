import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { namesIssue } from './names-issue.ts';

/** A request to the model, before it is sent. */
interface ModelRequestRow {
  organization: string;
  /** The issue that it is about; `null` if it is about none. */
  issue: number | null;
  purpose: string;
  model: string;
  host: string;
  /** The most that it may take, in tokens. */
  reserved: number;
  /** SHA-256 of what is sent. */
  digest: string;
  /** What is sent; `null` if only its digest is kept. */
  payload: string | null;
}

const DAY = 24 * 3_600_000;

export function createModelRequestStore(db: Database) {
  return {
    /**
     * Stores a request that is about to be sent, and with it the tokens that it may take. `null` if the day has fewer left:
     * it must not be sent then.
     */
    reserve: (
      request: ModelRequestRow,
      { ceiling, now }: { ceiling: number; now: number },
    ): Promise<string | null> =>
      db.transaction(async (tx) => {
        const { query, dialect } = tx;
        // Two replicas must not both take the last of the day.
        await dialect.lock(query, 'model requests');
        if ((await spentOn(tx, now)) + request.reserved > ceiling) return null;
        const id = randomUUID();
        await query
          .insertInto('modelRequests')
          .values({ ...request, id, at: now, tokens: null, ms: null, outcome: null })
          .execute();
        return id;
      }),
    /** What it took; the rest of what it reserved is free again. */
    settle: async (id: string, result: { tokens: number; ms: number; outcome: string }): Promise<void> => {
      await db.query.updateTable('modelRequests').set(result).where('id', '=', id).execute();
    },
    /** Tokens taken or reserved on the day (UTC) of that moment. */
    spentOn: (now: number): Promise<number> => spentOn(db, now),
    /** Erases what was sent about an issue, or names it; that something was sent remains. */
    forget: async (organization: string, issue: number): Promise<void> => {
      const { query, dialect } = db;
      const kept = await query
        .selectFrom('modelRequests')
        .select(['id', 'issue', 'payload'])
        .where('organization', '=', organization)
        .where((eb) =>
          eb.or([eb('issue', '=', issue), dialect.contains(sql<string>`payload`, String(issue))]),
        )
        .execute();
      const names = namesIssue(issue);
      const about = kept.filter((one) => one.issue === issue || names.test(one.payload ?? ''));
      for (const { id } of about)
        await query.updateTable('modelRequests').set({ payload: null }).where('id', '=', id).execute();
    },
  };
}

/** Requests to the model: the audit trail, and what each has taken of the day's tokens. */
export type ModelRequestStore = ReturnType<typeof createModelRequestStore>;

/** A request whose end is not known counts with all that it reserved. */
async function spentOn({ query }: Pick<Database, 'query'>, now: number): Promise<number> {
  const { spent } = await query
    .selectFrom('modelRequests')
    .select(({ fn }) => fn.sum<number | null>(fn.coalesce('tokens', 'reserved')).as('spent'))
    .where('at', '>=', Math.floor(now / DAY) * DAY)
    .executeTakeFirstOrThrow();
  return Number(spent ?? 0);
}

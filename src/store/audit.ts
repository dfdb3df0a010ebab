import { randomUUID } from 'node:crypto';
import type { Database } from './tables.ts';

export type AuditStore = ReturnType<typeof auditStore>;

/** Every change that a person made: who, what, when (DESIGN section 4, *Who may*). */
export function auditStore(db: Database) {
  return {
    add: async (entry: { at: number; who: string; what: string; issueId: string | null }): Promise<void> => {
      await db
        .insertInto('audit')
        .values({ id: randomUUID(), at: entry.at, who: entry.who, what: entry.what, issue_id: entry.issueId })
        .execute();
    },
    of: (issueId: string) =>
      db
        .selectFrom('audit')
        .select(['at', 'who', 'what'])
        .where('issue_id', '=', issueId)
        .orderBy('at')
        .execute(),
  };
}

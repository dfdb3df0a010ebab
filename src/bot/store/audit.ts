import { randomUUID } from 'node:crypto';
import type { Database } from './tables.ts';

/**
 * A change made by a person. `who` is their id; `what` says what kind of change, and of which number. It outlives the issue, so it
 * holds none of its text; what people set for a channel is in it, and untrusted.
 */
export interface AuditEntry {
  at: number;
  who: string;
  what: string;
}

/** Every change made by a person: who, what, when. */
export function auditStore(db: Database) {
  const newest = async (column: 'issueId' | 'channel', value: string, limit: number) => {
    const rows = db.selectFrom('audit').where(column, '=', value);
    const { n } = await rows.select((e) => e.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
    const entries = await rows.select(['at', 'who', 'what']).orderBy('at', 'desc').limit(limit).execute();
    return { entries: entries.reverse(), older: Math.max(0, Number(n) - limit) };
  };
  return {
    /** `channel` is set if its settings were changed. */
    add: async (entry: AuditEntry & { issueId: string | null; channel?: string }): Promise<void> => {
      const { issueId, channel = null, at, who, what } = entry;
      await db.insertInto('audit').values({ id: randomUUID(), at, who, what, issueId, channel }).execute();
    },
    of: (issueId: string): Promise<AuditEntry[]> =>
      db
        .selectFrom('audit')
        .select(['at', 'who', 'what'])
        .where('issueId', '=', issueId)
        .orderBy('at')
        .execute(),

    /** The latest changes of an issue, newest last; `older` counts the earlier ones. */
    ofIssue: (issueId: string, limit: number): Promise<{ entries: AuditEntry[]; older: number }> =>
      newest('issueId', issueId, limit),

    /** The latest changes of a channel's settings, newest last; `older` counts the earlier ones. */
    ofChannel: (channel: string, limit: number): Promise<{ entries: AuditEntry[]; older: number }> =>
      newest('channel', channel, limit),

    /** Who last changed the settings of one of these channels; `null` if nobody did. */
    lastToSet: async (channels: readonly string[]): Promise<string | null> => {
      if (channels.length === 0) return null;
      const row = await db
        .selectFrom('audit')
        .select('who')
        .where('channel', 'in', channels)
        .orderBy('at', 'desc')
        .executeTakeFirst();
      return row?.who ?? null;
    },
  };
}

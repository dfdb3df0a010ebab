import { randomUUID } from 'node:crypto';
import { hashOf, NO_HASH } from './audit-chain.ts';
import type { Database } from './tables.ts';

/** The one row of the last link. */
const HEAD = 1;

export type AuditStore = ReturnType<typeof auditStore>;

/** A change made by a person. `who` is their id; `what` is untrusted: it contains text they wrote. */
export interface AuditEntry {
  at: number;
  who: string;
  what: string;
}

/** Every change made by a person: who, what, when (DESIGN section 4, *Who may*). */
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
      const { issueId, channel = null, at, who } = entry;
      // As PostgreSQL can store it, so the hash survives a move.
      const what = entry.what.toWellFormed().replaceAll('\0', '\ufffd');
      const row = { id: randomUUID(), at, who, what, issueId, channel, seq: null, hash: null };
      const addTo = async (tx: Database) => {
        await tx.insertInto('audit').values(row).execute();
        await chain(tx);
      };
      await (db.isTransaction ? addTo(db) : db.transaction().execute(addTo));
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

/** Chains all unchained entries, oldest first: this one, and those of a release without chains. */
async function chain(tx: Database): Promise<void> {
  await tx
    .insertInto('auditHead')
    .values({ id: HEAD, seq: 0, hash: NO_HASH })
    .onConflict((c) => c.doNothing())
    .execute();
  // Changes nothing, but locks the chain until this transaction ends.
  let last = await tx
    .updateTable('auditHead')
    .set((e) => ({ seq: e.ref('seq') }))
    .where('id', '=', HEAD)
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow();
  const loose = await tx
    .selectFrom('audit')
    .select(['id', 'at', 'who', 'what', 'issueId', 'channel'])
    .where('seq', 'is', null)
    .orderBy('at')
    .orderBy('id')
    .execute();
  for (const entry of loose) {
    const seq = last.seq + 1;
    last = { seq, hash: hashOf({ ...entry, seq }, last.hash) };
    await tx.updateTable('audit').set(last).where('id', '=', entry.id).execute();
  }
  await tx.updateTable('auditHead').set(last).where('id', '=', HEAD).execute();
}

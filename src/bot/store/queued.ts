import type { Organization } from '../../contract/client/client.ts';
import type { OutboxKey } from './intents/keys.ts';
import type { Database } from './tables.ts';

/** An alert's issue that is yet to be created at the service, and that its channel has no message about. */
interface PendingNotice {
  id: string;
  channel: string;
  createdAt: number;
  /** The thread of its alert. */
  threadTs: string | null;
}

/** Alerts waiting for the service to come back, grouped in one line per channel. */
export function queuedStore(db: Database) {
  return {
    /** Oldest first. Without people's requests, whose own cards say so. */
    pending: async (limit: number, organization: Organization = 'default'): Promise<PendingNotice[]> =>
      db
        .selectFrom('issues')
        .select(['id', 'channel', 'createdAt as createdAt', 'threadTs as threadTs'])
        .where((e) => e.and({ state: 'pending', organization }))
        .where('waitsIn', 'is', null)
        .where('requestedBy', 'is', null)
        .where('threadTs', 'is not', null)
        .orderBy('createdAt')
        .limit(limit)
        .execute(),

    /** Lines with something waiting: their keys in the outbox. */
    lines: async (organization: Organization = 'default'): Promise<{ key: OutboxKey; channel: string }[]> => {
      const rows = await db
        .selectFrom('issues')
        .select(['waitsIn', 'channel'])
        .where((e) => e.and({ state: 'pending', organization }))
        .where('waitsIn', 'is not', null)
        .groupBy(['waitsIn', 'channel'])
        .execute();
      return rows.flatMap(({ waitsIn, channel }) => (waitsIn === null ? [] : [{ key: waitsIn, channel }]));
    },

    /** Counts an issue in a line; its card says `failure`, unless it says something already. */
    join: async (id: string, line: OutboxKey, failure: string): Promise<void> => {
      await db
        .updateTable('issues')
        .set((e) => ({ waitsIn: line, failure: e.fn.coalesce('failure', e.val(failure)) }))
        .where('id', '=', id)
        .execute();
    },

    /** The outcomes of everything that waited in a line. */
    counts: async (line: OutboxKey): Promise<{ queued: number; filed: number; refused: number }> => {
      const rows = await db
        .selectFrom('issues')
        .select(({ fn }) => ['state', fn.countAll<number>().as('n')])
        .where('waitsIn', '=', line)
        .groupBy('state')
        .execute();
      const of = (state: string) => Number(rows.find((row) => row.state === state)?.n ?? 0);
      return { queued: of('pending'), filed: of('created') + of('gone'), refused: of('failed') };
    },
  };
}

import type { Database } from './tables.ts';

/** A delivery of Slack's, stored before Slack hears the acknowledgement (DESIGN section 5, *Inbox*). */
export interface Delivery {
  key: string;
  /** The body as JSON. */
  body: string;
  receivedAt: number;
}

export interface OpenDelivery extends Delivery {
  attempts: number;
}

export type InboxStore = ReturnType<typeof inboxStore>;

export function inboxStore(db: Database) {
  return {
    /** Stores deliveries in one commit and answers the keys that were new. */
    add: async (deliveries: Delivery[]): Promise<Set<string>> => {
      const rows = await db
        .insertInto('inbox')
        .values(
          deliveries.map((d) => ({
            key: d.key,
            body: d.body,
            received_at: d.receivedAt,
            attempts: 0,
            next_at: 0,
            state: 'open' as const,
            error: null,
          })),
        )
        .onConflict((c) => c.column('key').doNothing())
        .returning('key')
        .execute();
      return new Set(rows.map((row) => row.key));
    },

    /** What was stored and not finished, oldest first: taken up at start, and when a retry is due. */
    open: async (now: number): Promise<OpenDelivery[]> => {
      const rows = await db
        .selectFrom('inbox')
        .selectAll()
        .where('state', '=', 'open')
        .where('next_at', '<=', now)
        .orderBy('received_at')
        .execute();
      return rows.map((row) => ({
        key: row.key,
        body: row.body,
        receivedAt: row.received_at,
        attempts: row.attempts,
      }));
    },

    /** When Slack last delivered something, in milliseconds; `null` where it never has. */
    lastReceivedAt: async (): Promise<number | null> => {
      const row = await db
        .selectFrom('inbox')
        .select(({ fn }) => fn.max<number | null>('received_at').as('at'))
        .executeTakeFirstOrThrow();
      return row.at === null ? null : Number(row.at);
    },

    countOpen: async (): Promise<number> => {
      const row = await db
        .selectFrom('inbox')
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('state', '=', 'open')
        .executeTakeFirstOrThrow();
      return Number(row.n);
    },

    /** Handled. Their bodies go: only the keys are needed to know a redelivery. */
    done: async (keys: readonly string[]): Promise<void> => {
      await db
        .updateTable('inbox')
        .set({ state: 'done', body: '', error: null })
        .where('key', 'in', keys)
        .execute();
    },

    /** Handling failed: tried again at `nextAt`, or given up (`null`; the body stays, for a person to look at). */
    failed: async (key: string, error: string, nextAt: number | null): Promise<void> => {
      await db
        .updateTable('inbox')
        .set((e) => ({
          attempts: e('attempts', '+', 1),
          error,
          ...(nextAt === null ? { state: 'dead' as const } : { next_at: nextAt }),
        }))
        .where('key', '=', key)
        .execute();
    },

    /** It cannot be handled before something is mended: tried again at `nextAt`, which is no failure of its own. */
    waits: async (key: string, error: string, nextAt: number): Promise<void> => {
      await db.updateTable('inbox').set({ error, next_at: nextAt }).where('key', '=', key).execute();
    },
  };
}

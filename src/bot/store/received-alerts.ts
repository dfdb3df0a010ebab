import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

export type ReceivedAlertRow = Selectable<Tables['receivedAlerts']>;
export type ReceivedAlertStore = ReturnType<typeof receivedAlertStore>;

/** An Alertmanager with more alerts at a time needs other help than ours. */
const MOST_NOT_OVER = 5_000;

/** With a message of their own in Slack, or about to have one. */
const SHOWN = ['posting', 'posted', 'decided'] as const;

/** Alerts from webhooks and from the scheduled pull, and the messages in which they stand. */
export function receivedAlertStore(db: Database) {
  return {
    get: async (id: string): Promise<ReceivedAlertRow | null> =>
      (await db.selectFrom('receivedAlerts').selectAll().where('id', '=', id).executeTakeFirst()) ?? null,

    add: async (
      row: Pick<
        ReceivedAlertRow,
        'id' | 'source' | 'tool' | 'identity' | 'reading' | 'state' | 'receivedAt'
      > &
        Partial<Pick<ReceivedAlertRow, 'channel' | 'overAt'>>,
    ): Promise<void> => {
      await db
        .insertInto('receivedAlerts')
        .values({ channel: null, overAt: null, ...row, ts: null, nextAt: 0, attempts: 0 })
        .execute();
    },

    /** The newest message of an identity that has not recovered; `null` if there is none. */
    firing: async (identity: string): Promise<ReceivedAlertRow | null> =>
      (await db
        .selectFrom('receivedAlerts')
        .selectAll()
        .where('identity', '=', identity)
        .where('state', 'in', SHOWN)
        .where('overAt', 'is', null)
        .orderBy('receivedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()) ?? null,

    /** What was received about an identity since then, the newest first. */
    since: (identity: string, since: number): Promise<ReceivedAlertRow[]> =>
      db
        .selectFrom('receivedAlerts')
        .selectAll()
        .where('identity', '=', identity)
        .where('receivedAt', '>=', since)
        .orderBy('receivedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(20)
        .execute(),

    /** What a source has told of and not ended since, the newest first; what was told longest ago is left out of very many. */
    notOver: (source: string): Promise<ReceivedAlertRow[]> =>
      db
        .selectFrom('receivedAlerts')
        .selectAll()
        .where('source', '=', source)
        .where('overAt', 'is', null)
        .orderBy('receivedAt', 'desc')
        .limit(MOST_NOT_OVER)
        .execute(),

    /** Those in a state whose turn has come, the oldest first. */
    due: (state: 'posted' | 'unrouted', now: number, limit: number): Promise<ReceivedAlertRow[]> =>
      db
        .selectFrom('receivedAlerts')
        .selectAll()
        .where('state', '=', state)
        .where('nextAt', '<=', now)
        .orderBy('receivedAt')
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** Its message is in Slack. */
    posted: async (id: string, channel: string, ts: string): Promise<void> => {
      await db
        .updateTable('receivedAlerts')
        .set({ state: 'posted', channel, ts })
        .where('id', '=', id)
        .where('state', '=', 'posting')
        .execute();
    },

    become: async (id: string, state: ReceivedAlertRow['state'], channel?: string): Promise<void> => {
      await db
        .updateTable('receivedAlerts')
        .set({ state, ...(channel === undefined ? {} : { channel }) })
        .where('id', '=', id)
        .execute();
    },

    /** What its message says has changed. */
    revise: async (id: string, reading: string): Promise<void> => {
      await db.updateTable('receivedAlerts').set({ reading }).where('id', '=', id).execute();
    },

    /** It recovered; `null` once it fires again. */
    over: async (id: string, at: number | null): Promise<void> => {
      await db.updateTable('receivedAlerts').set({ overAt: at }).where('id', '=', id).execute();
    },

    /** It could not be handled; again at `nextAt`. */
    postpone: async (id: string, nextAt: number): Promise<void> => {
      await db
        .updateTable('receivedAlerts')
        .set((e) => ({ attempts: e('attempts', '+', 1), nextAt }))
        .where('id', '=', id)
        .execute();
    },

    countUnrouted: async (): Promise<number> => {
      const row = await db
        .selectFrom('receivedAlerts')
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('state', '=', 'unrouted')
        .executeTakeFirstOrThrow();
      return Number(row.n);
    },
  };
}

import type { Selectable } from 'kysely';
import { AT_ONCE, isDue, turnOf, untilNext } from './due.ts';
import type { Database, Tables } from './tables.ts';
import { type Wake, wakeNobody } from './wakeups.ts';

export type ReceivedAlertRow = Selectable<Tables['receivedAlerts']>;

/** An Alertmanager with more alerts at a time needs a different solution. */
const MOST_NOT_OVER = 5_000;

/** What the ids of alerts begin with that the pull found, before fingerprint and start. */
export const PULLED = 'pull:';
/** The first text that does not begin so. */
const AFTER_PULLED = 'pull;';

/** With their own message in Slack, or about to have one. */
const SHOWN = ['posting', 'posted', 'decided'] as const;

/** Alerts from webhooks and from the scheduled pull, and their messages. */
export function receivedAlertStore(db: Database, wake: Wake = wakeNobody) {
  return {
    get: async (id: string): Promise<ReceivedAlertRow | null> =>
      (await db.selectFrom('receivedAlerts').selectAll().where('id', '=', id).executeTakeFirst()) ?? null,

    add: async (
      row: Pick<
        ReceivedAlertRow,
        'id' | 'source' | 'tool' | 'identity' | 'reading' | 'state' | 'receivedAt'
      > &
        Partial<Pick<ReceivedAlertRow, 'channel' | 'ts' | 'overAt'>>,
    ): Promise<void> => {
      await db
        .insertInto('receivedAlerts')
        .values({ channel: null, ts: null, overAt: null, ...row, nextAt: AT_ONCE, attempts: 0 })
        .execute();
    },

    /** The newest message of an identity that has not recovered, or `null`. */
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

    /** What was received about an identity since then, newest first. */
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

    /** Alerts that a source has reported and not ended, newest first; the oldest are dropped if there are very many. */
    notOver: (source: string): Promise<ReceivedAlertRow[]> =>
      db
        .selectFrom('receivedAlerts')
        .selectAll()
        .where('source', '=', source)
        .where('overAt', 'is', null)
        .orderBy('receivedAt', 'desc')
        .limit(MOST_NOT_OVER)
        .execute(),

    /** Of a source, those that the pull found with this start. */
    pulled: (source: string, triggeredAt: string): Promise<ReceivedAlertRow[]> =>
      db
        .selectFrom('receivedAlerts')
        .selectAll()
        .where('source', '=', source)
        .where('id', '>=', PULLED)
        .where('id', '<', AFTER_PULLED)
        .where('id', 'like', `%:${triggeredAt}`)
        .limit(MOST_NOT_OVER)
        .execute(),

    /** Those in a state that are due: the oldest of each channel in turn. */
    due: (state: 'posted' | 'unrouted', now: number, limit: number): Promise<ReceivedAlertRow[]> =>
      db
        .selectFrom('receivedAlerts')
        .selectAll()
        .where('state', '=', state)
        .where(isDue(now))
        .orderBy(turnOf('channel', 'id'))
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** Of those with a message. */
    untilNext: (now: number): Promise<number> =>
      untilNext(db.selectFrom('receivedAlerts').where('state', '=', 'posted'), now),

    /** Its message is in Slack. */
    posted: async (id: string, channel: string, ts: string): Promise<void> => {
      const { numUpdatedRows } = await db
        .updateTable('receivedAlerts')
        .set({ state: 'posted', channel, ts })
        .where('id', '=', id)
        .where('state', '=', 'posting')
        .executeTakeFirst();
      if (numUpdatedRows > 0n) wake('webhooks');
    },

    become: async (id: string, state: ReceivedAlertRow['state'], channel?: string): Promise<void> => {
      await db
        .updateTable('receivedAlerts')
        .set({ state, ...(channel === undefined ? {} : { channel }) })
        .where('id', '=', id)
        .execute();
      if (state === 'posted') wake('webhooks');
    },

    /** The contents of its message have changed. */
    revise: async (id: string, reading: string): Promise<void> => {
      await db.updateTable('receivedAlerts').set({ reading }).where('id', '=', id).execute();
    },

    /** It recovered; `null` once it fires again. */
    over: async (id: string, at: number | null): Promise<void> => {
      await db.updateTable('receivedAlerts').set({ overAt: at }).where('id', '=', id).execute();
    },

    /** It could not be handled; retried at `nextAt`. */
    postpone: async (id: string, nextAt: number): Promise<void> => {
      await db
        .updateTable('receivedAlerts')
        .set((e) => ({ attempts: e('attempts', '+', 1), nextAt }))
        .where('id', '=', id)
        .execute();
    },

    /** How many of a channel have a message, or are to get one, and no decision yet. */
    countUndecided: async (channel: string): Promise<number> => {
      const row = await db
        .selectFrom('receivedAlerts')
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('state', 'in', ['posting', 'posted'])
        .where('channel', '=', channel)
        .executeTakeFirstOrThrow();
      return Number(row.n);
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

import { type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import { AT_ONCE, countOf, isDue, turnOf, untilNext } from './due.ts';
import type { Database, Tables } from './tables.ts';
import { type Wake, wakeNobody } from './wakeups.ts';

export type ReceivedAlertRow = Selectable<Tables['receivedAlerts']>;

/** An Alertmanager with more alerts at a time needs a different solution. */
const MOST_NOT_OVER = 5_000;

/** What the ids of alerts begin with that the pull found, before fingerprint and start. */
export const PULLED = 'pull:';
/** The first text that does not begin so. */
const AFTER_PULLED = 'pull;';

/** Without a decision; the last three are those of 1.1. */
const WAITING = ['waiting', 'unrouted', 'posting', 'posted'] as const;

/** The placeholder of a message that is still to be posted is longer than Slack's `ts`; 1.1 stored nothing then. */
const isPosted = sql<SqlBool>`length(ts) <= 17`;

export function receivedAlertStore(db: Database, wake: Wake = wakeNobody) {
  const all = db.selectFrom('receivedAlerts').selectAll();
  const set = async (id: string, columns: Updateable<Tables['receivedAlerts']>): Promise<void> => {
    await db.updateTable('receivedAlerts').set(columns).where('id', '=', id).execute();
  };
  const waiting = () => db.selectFrom('receivedAlerts').where('state', 'in', WAITING);
  const undecided = () => waiting().where('channel', 'is not', null).where(isPosted);
  const unrouted = () => waiting().where('channel', 'is', null);
  return {
    get: async (id: string): Promise<ReceivedAlertRow | null> =>
      (await all.where('id', '=', id).executeTakeFirst()) ?? null,

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
      (await all
        .where('identity', '=', identity)
        .where('state', '!=', 'noted')
        .where('channel', 'is not', null)
        .where('overAt', 'is', null)
        .orderBy('receivedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()) ?? null,

    /** What was received about an identity since then, newest first. */
    since: (identity: string, since: number): Promise<ReceivedAlertRow[]> =>
      all
        .where('identity', '=', identity)
        .where('receivedAt', '>=', since)
        .orderBy('receivedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(20)
        .execute(),

    /** Alerts that a source has reported and not ended, newest first; the oldest are dropped if there are very many. */
    notOver: (source: string): Promise<ReceivedAlertRow[]> =>
      all
        .where('source', '=', source)
        .where('overAt', 'is', null)
        .orderBy('receivedAt', 'desc')
        .limit(MOST_NOT_OVER)
        .execute(),

    /** Of a source, those that the pull found with this start. */
    pulled: (source: string, triggeredAt: string): Promise<ReceivedAlertRow[]> =>
      all
        .where('source', '=', source)
        .where('id', '>=', PULLED)
        .where('id', '<', AFTER_PULLED)
        .where('id', 'like', `%:${triggeredAt}`)
        .limit(MOST_NOT_OVER)
        .execute(),

    /** Those with a message that wait for their decision and are due: the oldest of each channel in turn. */
    due: (now: number, limit: number): Promise<ReceivedAlertRow[]> =>
      undecided()
        .selectAll()
        .where(isDue(now))
        .orderBy(turnOf('channel', 'id'))
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** Those that wait for a route, oldest first. */
    unrouted: (limit: number): Promise<ReceivedAlertRow[]> =>
      unrouted().selectAll().orderBy('id').limit(limit).execute(),

    /** Of those with a message. */
    untilNext: (now: number): Promise<number> => untilNext(undecided(), now),

    /** Its message is in Slack. @returns the `ts` that stood for it; `null` if none did */
    posted: async (id: string, channel: string, ts: string): Promise<string | null> => {
      const rows = db.selectFrom('receivedAlerts').select(['ts', 'state']).where('id', '=', id);
      const before = await rows.executeTakeFirst();
      await set(id, { channel, ts });
      if (WAITING.some((state) => state === before?.state)) wake('webhooks');
      return before?.ts ?? null;
    },

    become: (id: string, state: 'decided' | 'noted'): Promise<void> => set(id, { state }),

    /** Alerts whose message is in Slack, as its intent says, although the placeholder is still stored for it. */
    notPlaced: (): Promise<{ received: string; channel: string; sent: string }[]> =>
      db
        .selectFrom('receivedAlerts')
        .innerJoin('outbox', (join) => join.on('outbox.key', '=', sql`'alert:' || received_alerts.id`))
        .select(['receivedAlerts.id as received', 'outbox.channel', 'outbox.sent'])
        .where('receivedAlerts.state', '=', 'decided')
        .where(sql<SqlBool>`length(received_alerts.ts) = 20`)
        .where('outbox.sent', '!=', '[]')
        .execute(),

    /** The contents of its message have changed. */
    revise: (id: string, reading: string): Promise<void> => set(id, { reading }),

    /** It recovered; `null` once it fires again. */
    over: (id: string, at: number | null): Promise<void> => set(id, { overAt: at }),

    /** It could not be handled; retried at `nextAt`. */
    postpone: async (id: string, nextAt: number): Promise<void> => {
      await db
        .updateTable('receivedAlerts')
        .set((e) => ({ attempts: e('attempts', '+', 1), nextAt }))
        .where('id', '=', id)
        .execute();
    },

    countUnrouted: (): Promise<number> => countOf(unrouted()),
  };
}

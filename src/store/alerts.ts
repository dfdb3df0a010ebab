import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

/** Why a message became what it became (DESIGN section 4, *Filing*). */
export type Decision = 'filed' | 'repeat' | 'recovered' | 'ignored' | 'held' | 'not_an_alert';
export type Outcome = NonNullable<AlertRow['outcome']>;

/** The record that answers *Why was this (not) filed?* */
export type AlertRow = Selectable<Tables['alerts']>;
export type DecidedAlert = Omit<AlertRow, 'id'> & { decision: Decision };

export type AlertStore = ReturnType<typeof alertStore>;

export function alertStore(db: Database) {
  const idOf = (channel: string, ts: string) => `${channel}:${ts}`;
  return {
    /** Records a decision; a message edited since is decided anew and takes the newest. */
    record: async (row: DecidedAlert): Promise<void> => {
      await db
        .insertInto('alerts')
        .values({ ...row, id: idOf(row.channel, row.ts) })
        .onConflict((c) => c.column('id').doUpdateSet(row))
        .execute();
    },

    find: async (channel: string, ts: string): Promise<AlertRow | null> =>
      (await db.selectFrom('alerts').selectAll().where('id', '=', idOf(channel, ts)).executeTakeFirst()) ??
      null,

    /** Forgets a decision: it is taken anew (a dry run, which keeps nothing). */
    forget: async (channel: string, ts: string): Promise<void> => {
      await db.deleteFrom('alerts').where('id', '=', idOf(channel, ts)).execute();
    },

    /** The messages that an issue counts, the newest first: what it was filed for, and its repeats. */
    ofIssue: (issueId: string, limit: number): Promise<AlertRow[]> =>
      db
        .selectFrom('alerts')
        .selectAll()
        .where('issue_id', '=', issueId)
        .where('decision', 'in', ['filed', 'repeat'])
        .orderBy('ts', 'desc')
        .limit(limit)
        .execute(),

    /** How many messages of a channel were decided so since then. */
    countSince: async (channel: string, decisions: readonly Decision[], since: number): Promise<number> => {
      const row = await db
        .selectFrom('alerts')
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('channel', '=', channel)
        .where('decided_at', '>', since)
        .where('decision', 'in', decisions)
        .executeTakeFirstOrThrow();
      return Number(row.n);
    },

    /** Everything in a hold, oldest first. */
    inHold: (hold: string): Promise<AlertRow[]> =>
      db.selectFrom('alerts').selectAll().where('hold_id', '=', hold).orderBy('ts').execute(),

    /** Held alerts of an identity that wait for a decision, in one channel or in all, oldest first. */
    waiting: (identity: string, channel?: string): Promise<AlertRow[]> => {
      const rows = db
        .selectFrom('alerts')
        .selectAll()
        .where('identity', '=', identity)
        .where('decision', '=', 'held')
        .where('outcome', 'is', null)
        .orderBy('ts');
      return (channel === undefined ? rows : rows.where('channel', '=', channel)).execute();
    },

    /** What became of a held alert. */
    settle: async (
      id: string,
      what: { outcome: Outcome; decision: Decision; reason: string; issueId: string | null },
    ): Promise<void> => {
      await db
        .updateTable('alerts')
        .set({
          outcome: what.outcome,
          decision: what.decision,
          reason: what.reason,
          issue_id: what.issueId,
        })
        .where('id', '=', id)
        .execute();
    },

    /** Moves a message to another issue: *Not the same*, *Attach to #n*. */
    moveTo: async (id: string, issueId: string, identity: string, reason: string): Promise<void> => {
      await db
        .updateTable('alerts')
        .set({ issue_id: issueId, identity, reason })
        .where('id', '=', id)
        .execute();
    },

    /** The newest message of an identity in a channel that was offered to be filed since then. */
    ignoredSince: async (
      channel: string,
      identity: string,
      reason: string,
      since: number,
    ): Promise<boolean> =>
      (await db
        .selectFrom('alerts')
        .select('id')
        .where('identity', '=', identity)
        .where('channel', '=', channel)
        .where('decision', '=', 'ignored')
        .where('reason', '=', reason)
        .where('decided_at', '>', since)
        .limit(1)
        .executeTakeFirst()) !== undefined,
  };
}

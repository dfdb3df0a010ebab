import type { Selectable, Updateable } from 'kysely';
import { AT_ONCE } from './due.ts';
import type { Database, Tables } from './tables.ts';

export type TicketRow = Selectable<Tables['tickets']>;

/** Once its issue is long resolved, a ticket is looked at once a day; what is due later was written by a clock that was wrong. */
const LATEST_MS = 25 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
/** An issue without a ticket for so long will get none by rule: the rule was switched on later. */
const RULE_ENDS_MS = 24 * HOUR_MS;

/** One ticket per issue at the tracker. */
export function ticketStore(db: Database) {
  const get = async (issueId: string): Promise<TicketRow | null> =>
    (await db.selectFrom('tickets').selectAll().where('issueId', '=', issueId).executeTakeFirst()) ?? null;
  return {
    get,

    /** Somebody wants one: again, if it was refused or is gone; @returns false if there is one, or one is on its way */
    want: async (issueId: string, by: string, at: number): Promise<boolean> => {
      const fresh = { state: 'wanted' as const, wantedBy: by, attempts: 0, nextAt: AT_ONCE, failure: null };
      const made = { key: null, url: null, status: null, sentAt: null, wantedAt: at, saying: null };
      const before = await get(issueId);
      if (before === null) {
        const added = await db
          .insertInto('tickets')
          .values({ issueId, ...fresh, ...made, said: 'open', saidRepeats: 0, quietUntil: 0 })
          .onConflict((c) => c.doNothing())
          .returning('issueId')
          .executeTakeFirst();
        return added !== undefined;
      }
      if (before.state !== 'failed' && before.state !== 'gone') {
        // Whoever asks again may have fixed the cause.
        const isStuck = before.state === 'wanted' && before.failure !== null;
        if (isStuck)
          await db.updateTable('tickets').set({ nextAt: AT_ONCE }).where('issueId', '=', issueId).execute();
        return false;
      }
      // One that was refused may have been made by an earlier attempt all the same.
      const again = await db
        .updateTable('tickets')
        .set({ ...fresh, ...(before.state === 'gone' ? made : {}) })
        .where((e) => e.and({ issueId, state: before.state }))
        .returning('issueId')
        .executeTakeFirst();
      return again !== undefined;
    },

    /** Those to be made or looked at, and those whose issue has changed since their last comment. */
    due: (now: number, limit: number): Promise<TicketRow[]> =>
      db
        .selectFrom('tickets')
        .innerJoin('issues', 'issues.id', 'tickets.issueId')
        .selectAll('tickets')
        .where('tickets.state', '!=', 'failed')
        .where((e) => {
          const isOver = e('issues.status', '=', 'resolved');
          const hasFired = e('issues.repeats', '>', e.ref('tickets.saidRepeats'));
          const mayFire = e.and([
            hasFired,
            e('tickets.quietUntil', '<=', now),
            e('issues.status', '!=', 'muted'),
          ]);
          const isReopened = e.and([e('tickets.said', '=', 'resolved'), e.not(hasFired)]);
          return e.or([
            e('tickets.nextAt', '<=', now),
            e('tickets.nextAt', '>', now + LATEST_MS),
            e.and([
              e('tickets.state', '=', 'made'),
              e('tickets.attempts', '=', 0),
              e.or([
                e.and([isOver, e('tickets.said', '=', 'open')]),
                e.and([e.not(isOver), e.or([mayFire, isReopened])]),
              ]),
            ]),
          ]);
        })
        .orderBy('tickets.nextAt')
        .limit(limit)
        .execute(),

    /** Issues of these channels that are severe and unresolved after an hour, and have no ticket. */
    missing: async (channels: readonly string[], now: number): Promise<{ id: string; channel: string }[]> => {
      if (channels.length === 0) return [];
      return db
        .selectFrom('issues')
        .leftJoin('tickets', 'tickets.issueId', 'issues.id')
        .select(['issues.id', 'issues.channel'])
        .where('issues.channel', 'in', channels)
        .where('tickets.issueId', 'is', null)
        .where('issues.state', '=', 'created')
        .where('issues.status', 'not in', ['resolved', 'muted'])
        .where('issues.joinedInto', 'is', null)
        .where('issues.symptomOf', 'is', null)
        .where((e) => e.or([e('issues.severity', '=', 'high'), e('issues.raisedSeverity', '=', 'high')]))
        .where('issues.createdAt', '<=', now - HOUR_MS)
        .where('issues.createdAt', '>', now - RULE_ENDS_MS)
        .orderBy('issues.createdAt')
        .limit(20)
        .execute();
    },

    update: async (issueId: string, set: Updateable<Tables['tickets']>): Promise<void> => {
      await db.updateTable('tickets').set(set).where('issueId', '=', issueId).execute();
    },
  };
}

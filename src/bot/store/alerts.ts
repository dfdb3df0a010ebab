import { type Selectable, type SqlBool, sql } from 'kysely';
import { compareTs } from '../shared/moment.ts';
import { countOf } from './due.ts';
import type { Reason } from './reasons.ts';
import type { Database, Tables } from './tables.ts';

/** Why a message was filed, ignored, held and so on. */
export type Decision = 'filed' | 'repeat' | 'recovered' | 'ignored' | 'held' | 'not_an_alert';
/** The reasons that later decisions search for. */
type LookedForReason = Extract<Reason, 'no_open_issue' | 'suggested' | 'suggested_before'>;
export type Outcome = NonNullable<AlertRow['outcome']>;

/** The record that answers *Why was this (not) filed?* */
export type AlertRow = Selectable<Tables['alerts']>;
export type DecidedAlert = Omit<AlertRow, 'id'> & { decision: Decision };

/** Literals: with a parameter, SQLite would not use the partial index of ignored and held alerts. */
const isHeld = sql<SqlBool>`decision = 'held'`;
const isIgnored = sql<SqlBool>`decision = 'ignored'`;
/** Slack's `ts` has six decimals; one of a message still to be posted has nine, and that of an alert without one more. */
const getsMessage = sql<SqlBool>`length(alerts.ts) <= 20`;
const SUGGESTED: readonly LookedForReason[] = ['suggested', 'suggested_before'];
/** A statement takes a limited number of parameters. */
const AT_ONCE = 500;

export function alertStore(db: Database) {
  const all = db.selectFrom('alerts').selectAll();
  const idOf = (channel: string, ts: string) => `${channel}:${ts}`;
  return {
    /** Records a decision. An edited message is decided again, and the newest decision wins. */
    record: async (row: DecidedAlert): Promise<void> => {
      await db
        .insertInto('alerts')
        .values({ ...row, id: idOf(row.channel, row.ts) })
        .onConflict((c) => c.column('id').doUpdateSet(row))
        .execute();
    },

    find: async (channel: string, ts: string): Promise<AlertRow | null> =>
      (await all.where('id', '=', idOf(channel, ts)).executeTakeFirst()) ?? null,

    /** Its message is posted, and has this `ts`; `null` if nothing was decided about it yet. */
    place: async (awaited: { channel: string; ts: string }, ts: string): Promise<AlertRow | null> =>
      (await db
        .updateTable('alerts')
        .set({ id: idOf(awaited.channel, ts), ts })
        .where('id', '=', idOf(awaited.channel, awaited.ts))
        .returningAll()
        .executeTakeFirst()) ?? null,

    /** The messages counted by an issue, newest first: the one it was filed for, and its repeats. */
    ofIssue: (issueId: string, limit: number, channel?: string): Promise<AlertRow[]> => {
      const rows = all
        .where('issueId', '=', issueId)
        .where('decision', 'in', ['filed', 'repeat'])
        .orderBy('ts', 'desc')
        .limit(limit);
      return (channel === undefined ? rows : rows.where('channel', '=', channel)).execute();
    },

    /** The message of a channel that an issue counts next after this one. */
    nextOfIssue: async (
      issueId: string,
      { channel, ts }: { channel: string; ts: string },
    ): Promise<AlertRow | null> =>
      (await all
        .where((e) => e.and({ issueId, channel }))
        .where('decision', 'in', ['filed', 'repeat'])
        .where('ts', '>', ts)
        .orderBy('ts')
        .limit(1)
        .executeTakeFirst()) ?? null,

    /** Whether an issue counts a message of a channel that was posted after this `ts`. */
    countsAfter: async (
      issueId: string,
      { channel, ts }: { channel: string; ts: string },
    ): Promise<boolean> => {
      const rows = await db
        .selectFrom('alerts')
        .select('decision')
        .where((e) => e.and({ issueId, channel }))
        .where('ts', '>', ts)
        .execute();
      return rows.some(({ decision }) => decision === 'filed' || decision === 'repeat');
    },

    /** How many messages of a channel are counted by an issue. */
    countOfIssue: (issueId: string, channel: string): Promise<number> =>
      countOf(
        db
          .selectFrom('alerts')
          .where((e) => e.and({ issueId, channel }))
          .where('decision', 'in', ['filed', 'repeat']),
      ),

    /**
     * How many of a channel's problems were filed or held automatically since then: a flapping alert counts once, and one
     * that is held without a message of its own, with others of its group, not at all.
     */
    countProblemsSince: async (channel: string, since: number): Promise<number> => {
      const row = await db
        .selectFrom('alerts')
        .leftJoin('issues', 'issues.id', 'alerts.issueId')
        .select((e) => e.fn.count<number>('alerts.identity').distinct().as('n'))
        .where('alerts.channel', '=', channel)
        .where('alerts.decidedAt', '>', since)
        .where('alerts.decision', 'in', ['filed', 'held'])
        .where(getsMessage)
        .where('issues.requestedBy', 'is', null)
        .executeTakeFirstOrThrow();
      return Number(row.n);
    },

    /** How many of a channel's problems were ignored for this reason since then. */
    countIgnoredSince: async (channel: string, reason: LookedForReason, since: number): Promise<number> => {
      const row = await db
        .selectFrom('alerts')
        .select((e) => e.fn.count<number>('identity').distinct().as('n'))
        .where((e) => e.and({ channel, decision: 'ignored', reason }))
        .where('decidedAt', '>', since)
        .executeTakeFirstOrThrow();
      return Number(row.n);
    },

    /** How many of a channel's incidents were filed automatically since then, without having been held first. */
    countFiledSince: (channel: string, since: number): Promise<number> =>
      countOf(
        db
          .selectFrom('alerts')
          .leftJoin('issues', 'issues.id', 'alerts.issueId')
          .where((e) => e.and({ 'alerts.channel': channel, 'alerts.decision': 'filed' }))
          .where('alerts.decidedAt', '>', since)
          .where('alerts.holdId', 'is', null)
          .where('issues.requestedBy', 'is', null)
          .where('issues.symptomOf', 'is', null),
      ),

    /** The newest messages of a channel, whatever the decision. */
    newestIn: (channel: string, limit: number): Promise<AlertRow[]> =>
      all.where('channel', '=', channel).orderBy('decidedAt', 'desc').limit(limit).execute(),

    /** Everything in a hold, oldest first. */
    inHold: (hold: string): Promise<AlertRow[]> => all.where('holdId', '=', hold).orderBy('ts').execute(),

    /** Counts the messages of a hold by problem, outcome and issue. */
    countsInHold: (hold: string) =>
      db
        .selectFrom('alerts')
        .select((e) => [
          'identity',
          'outcome',
          'issueId',
          e.fn.countAll<number>().as('messages'),
          e.fn.min('ts').as('first'),
          e.fn.max('ts').as('last'),
        ])
        .where('holdId', '=', hold)
        .groupBy(['identity', 'outcome', 'issueId'])
        .execute(),

    /** The newest message of each problem in a hold. */
    newestInHold: (hold: string): Promise<AlertRow[]> =>
      db
        .selectFrom('alerts')
        .innerJoin(
          (e) =>
            e
              .selectFrom('alerts')
              .select((s) => ['identity', s.fn.max('ts').as('last')])
              .where('holdId', '=', hold)
              .groupBy('identity')
              .as('newest'),
          (on) =>
            on
              .onRef('newest.last', '=', 'alerts.ts')
              // Not `=`: a message edited until it reports nothing has a null identity.
              .on((e) => e('newest.identity', 'is not distinct from', e.ref('alerts.identity'))),
        )
        .selectAll('alerts')
        .where('alerts.holdId', '=', hold)
        .orderBy('alerts.ts', 'desc')
        .execute(),

    /** The holds that messages of an issue were in. */
    holdsOf: async (issueId: string): Promise<string[]> => {
      const rows = await db
        .selectFrom('alerts')
        .select('holdId')
        .distinct()
        .where('issueId', '=', issueId)
        .where('holdId', 'is not', null)
        .execute();
      return rows.flatMap(({ holdId }) => holdId ?? []);
    },

    /** Alerts waiting in a hold although they have an open issue. */
    heldWithIssue: async (): Promise<{ hold: string; identity: string; issue: string }[]> => {
      const rows = await db
        .selectFrom('holds')
        // SQLite keeps the order of a cross join: there are few holds, and many open issues.
        .crossJoin('alerts')
        .crossJoin('issues')
        .whereRef('alerts.holdId', '=', 'holds.id')
        .whereRef('issues.identity', '=', 'alerts.identity')
        .select(['holds.id as hold', 'alerts.identity', 'issues.id as issue'])
        .distinct()
        .where('holds.state', 'in', ['rolling', 'quiet'])
        .where('alerts.outcome', 'is', null)
        .where('issues.isOpen', '=', true)
        .execute();
      return rows.flatMap(({ identity, ...row }) => (identity === null ? [] : [{ ...row, identity }]));
    },

    hasUndecided: async (hold: string): Promise<boolean> =>
      (await db
        .selectFrom('alerts')
        .select('id')
        .where('holdId', '=', hold)
        .where('outcome', 'is', null)
        .limit(1)
        .executeTakeFirst()) !== undefined,

    /** How many held alerts of a channel are waiting for a decision. */
    countHeld: (channel: string): Promise<number> =>
      countOf(
        db
          .selectFrom('alerts')
          .where((e) => e.and({ channel, decision: 'held' }))
          .where('outcome', 'is', null),
      ),

    /** Held alerts of an identity waiting for a decision, in one channel or all, oldest first. */
    held: (identity: string, channel?: string): Promise<AlertRow[]> => {
      const rows = all
        .where('identity', '=', identity)
        .where(isHeld)
        .where('outcome', 'is', null)
        .orderBy('ts');
      return (channel === undefined ? rows : rows.where('channel', '=', channel)).execute();
    },

    moveToThread: async (id: string, threadTs: string | null): Promise<void> => {
      await db.updateTable('alerts').set({ threadTs }).where('id', '=', id).execute();
    },

    /** Moves every message of an issue to another one, as repeats: *Attach to #n*. */
    moveAll: async (
      issueId: string,
      to: { issueId: string; identity: string; reason: string },
    ): Promise<void> => {
      await db
        .updateTable('alerts')
        .set({ issueId: to.issueId, identity: to.identity, reason: to.reason, decision: 'repeat' })
        .where('issueId', '=', issueId)
        .where('decision', 'in', ['filed', 'repeat'])
        .execute();
    },

    /** Gives waiting held alerts another identity: all of an identity, or those with one detail. */
    heldBecome: async (was: { identity: string; detail?: string }, identity: string): Promise<void> => {
      const rows = db
        .updateTable('alerts')
        .set({ identity })
        .where('identity', '=', was.identity)
        .where(isHeld)
        .where('outcome', 'is', null);
      await (was.detail === undefined ? rows : rows.where('detail', '=', was.detail)).execute();
    },

    /** Records one outcome for several held alerts. */
    settleAll: async (
      ids: readonly string[],
      what: { outcome: Outcome; decision: Decision; reason: string; issueId: string | null },
    ): Promise<void> => {
      const { outcome, decision, reason, issueId } = what;
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        await db
          .updateTable('alerts')
          .set({ outcome, decision, reason, issueId })
          .where('id', 'in', ids.slice(from, from + AT_ONCE))
          .execute();
      }
    },

    /** Messages of an identity that were ignored for this reason since then, newest first; in one channel or all. */
    ignoredFor: async (
      identity: string,
      reason: LookedForReason,
      { channel, since }: { channel?: string; since: number },
    ): Promise<AlertRow[]> => {
      const rows = await all
        .where((e) => e.and({ identity, reason }))
        .where(isIgnored)
        .where('decidedAt', '>', since)
        .execute();
      const found = channel === undefined ? rows : rows.filter((row) => row.channel === channel);
      return found.toSorted((a, b) => compareTs(b.ts, a.ts));
    },

    /**
     * The newest recovery of an identity that a channel received since then, from this `ts` on, unless it was ignored
     * although there was an issue.
     */
    newestRecovery: async (
      identity: string,
      { channel, since, from }: { channel: string; since: number; from: string },
    ): Promise<AlertRow | null> => {
      // Hardly ever more than one row, and SQLite takes longer to order them than to find them.
      const rows = await all
        .where((e) => e.and({ identity, channel, kind: 'resolved' }))
        .where('ts', '>=', from)
        .where('decidedAt', '>', since)
        .execute();
      return newest(
        rows.filter(
          ({ decision, reason }) =>
            decision === 'recovered' ||
            (decision === 'ignored' && reason === ('no_open_issue' satisfies LookedForReason)),
        ),
      );
    },

    /**
     * The newest firing message of an identity that a channel received since then: counted, held, or suggested.
     */
    newestFiring: async (
      identity: string,
      { channel, since }: { channel: string; since: number },
    ): Promise<AlertRow | null> =>
      (await all
        .where((e) => e.and({ identity, channel }))
        .where('decision', 'in', ['filed', 'repeat', 'held', 'ignored'])
        // The unary plus keeps SQLite from searching everything that the channel received, instead of the identity's messages.
        .where(sql<number>`+decided_at`, '>', since)
        .where('kind', '=', 'firing')
        .where((e) => e.or([e('decision', '!=', 'ignored'), e('reason', 'in', SUGGESTED)]))
        .orderBy('ts', 'desc')
        .limit(1)
        .executeTakeFirst()) ?? null,

    /** Whether an alert of this identity was ever received, and is still stored. */
    hasFired: async (identity: string): Promise<boolean> =>
      (await db
        .selectFrom('alerts')
        .select('id')
        .where((e) => e.and({ identity, kind: 'firing' }))
        .limit(1)
        .executeTakeFirst()) !== undefined,

    /**
     * The newest message of each problem that a sender has firing in a channel, from before this `ts`: its issue is open, or
     * it is held or suggested.
     */
    firingOf: async (channel: string, sender: string, before: string): Promise<AlertRow[]> => {
      const rows = await db
        .selectFrom('alerts')
        .leftJoin('issues', 'issues.id', 'alerts.issueId')
        .selectAll('alerts')
        .where((e) => e.and({ 'alerts.channel': channel, 'alerts.sender': sender, 'alerts.kind': 'firing' }))
        .where('alerts.ts', '<', before)
        .where((e) =>
          e.or([
            e.and([e('issues.isOpen', '=', true), e('issues.recoveredAt', 'is', null)]),
            e.and([e('alerts.decision', '=', 'held'), e('alerts.outcome', 'is', null)]),
            e.and([e('alerts.decision', '=', 'ignored'), e('alerts.reason', 'in', SUGGESTED)]),
          ]),
        )
        .orderBy('alerts.decidedAt', 'desc')
        .limit(AT_ONCE)
        .execute();
      return [...new Map(rows.toReversed().map((row) => [row.identity, row])).values()];
    },

    /** Which of these messages of a channel open issues count, newest first. */
    countedOf: (channel: string, messages: readonly string[]): Promise<AlertRow[]> =>
      db
        .selectFrom('alerts')
        .innerJoin('issues', 'issues.id', 'alerts.issueId')
        .selectAll('alerts')
        .where('alerts.channel', '=', channel)
        .where('issues.isOpen', '=', true)
        .where('alerts.ts', 'in', messages)
        .where('alerts.decision', 'in', ['filed', 'repeat'])
        .orderBy('alerts.ts', 'desc')
        .execute(),

    /** Puts a held alert back in waiting: its outcome is obsolete. */
    unsettle: async (id: string): Promise<void> => {
      await db.updateTable('alerts').set({ outcome: null }).where('id', '=', id).execute();
    },
  };
}

function newest(rows: readonly AlertRow[]): AlertRow | null {
  return rows.reduce<AlertRow | null>(
    (best, row) => (best === null || compareTs(row.ts, best.ts) > 0 ? row : best),
    null,
  );
}

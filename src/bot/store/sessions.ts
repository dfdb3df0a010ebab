import { type Selectable, sql } from 'kysely';
import type { Database, Tables } from './tables.ts';

export type Session = Selectable<Tables['sessions']>;

/** What Slack shows for a session; a finished session is `active` too. */
export type SessionStatus = Session['status'];
/** A session belongs to a thread. */
export interface SessionThread {
  channel: string;
  threadTs: string;
}

/** What Slack shows of agent sessions, and what it should. */
export function sessionStore(db: Database) {
  const all = db.selectFrom('sessions').selectAll();
  const at = ({ channel, threadTs }: SessionThread) =>
    db.updateTable('sessions').where('channel', '=', channel).where('threadTs', '=', threadTs);

  return {
    get: async ({ channel, threadTs }: SessionThread): Promise<Session | null> =>
      (await all.where((e) => e.and({ channel, threadTs })).executeTakeFirst()) ?? null,

    /** About to call Slack: until it answers, its state is unknown. */
    notifying: async (
      { channel, threadTs }: SessionThread,
      status: SessionStatus,
      now: number,
    ): Promise<void> => {
      const values = { status, pending: true, notifiedAt: now };
      await db
        .insertInto('sessions')
        .values({ channel, threadTs, ...values, stoppedAt: null })
        .onConflict((c) => c.columns(['channel', 'threadTs']).doUpdateSet(values))
        .execute();
    },

    /** Slack confirmed that it shows this. */
    notified: async (thread: SessionThread, status: SessionStatus, now: number): Promise<void> => {
      await at(thread).set({ status, pending: false, notifiedAt: now }).execute();
    },

    /** One of our streams changed it too; any call in progress stays in doubt. */
    changedByStream: async (
      { channel, threadTs }: SessionThread,
      status: SessionStatus,
      now: number,
    ): Promise<void> => {
      await db
        .insertInto('sessions')
        .values({ channel, threadTs, status, notifiedAt: now, stoppedAt: null })
        .onConflict((c) => c.columns(['channel', 'threadTs']).doUpdateSet({ status, notifiedAt: now }))
        .execute();
    },

    /** It has a title: our first, or one given by a person. Stored even before Slack knows of the session. */
    named: async ({ channel, threadTs }: SessionThread, now: number): Promise<void> => {
      await db
        .insertInto('sessions')
        .values({ channel, threadTs, status: 'active', notifiedAt: now, named: true, stoppedAt: null })
        .onConflict((c) => c.columns(['channel', 'threadTs']).doUpdateSet({ named: true }))
        .execute();
    },

    /** Somebody pressed Slack's stop button: earlier investigations no longer count as work. */
    stopped: async (thread: SessionThread, when: number): Promise<void> => {
      await at(thread)
        .set({ stoppedAt: when })
        .where((e) => e.or([e('stoppedAt', 'is', null), e('stoppedAt', '<', when)]))
        .execute();
    },

    /** Slack accepts nothing for it. */
    drop: async ({ channel, threadTs }: SessionThread): Promise<void> => {
      await db
        .deleteFrom('sessions')
        .where((e) => e.and({ channel, threadTs }))
        .execute();
    },

    /** Sessions that Slack shows as other than active, or whose state is unknown. */
    open: (): Promise<Session[]> =>
      all
        .where('status', 'in', ['processing', 'suspended'])
        .union(all.where('status', '=', 'active').where('pending', '=', true))
        .execute(),

    /** Sessions that are not closed although their issue is resolved. */
    resolved: (): Promise<Session[]> =>
      db
        .selectFrom('sessions')
        .selectAll('sessions')
        .innerJoin('issues', (join) =>
          join
            .onRef('issues.channel', '=', 'sessions.channel')
            .onRef('issues.threadTs', '=', 'sessions.threadTs'),
        )
        .where('issues.status', '=', 'resolved')
        .where('sessions.status', '!=', 'closed')
        .execute(),

    /**
     * The threads with work in progress or waiting for a person; all others are active, or closed with their issue.
     *
     * @param since for offers and investigations: older ones keep no session busy. Milliseconds
     */
    wanted: async (since: {
      offered: number;
      investigating: number;
      /** The stored press on *Investigate again*. */
      again: string;
    }): Promise<(SessionThread & { status: SessionStatus })[]> => {
      const asked = await db
        .selectFrom('questions as q')
        .innerJoin('conversations as c', 'c.id', 'q.conversation')
        .select(['c.channel', 'c.threadTs', 'q.state'])
        .where('q.state', 'in', ['asking', 'queued', 'late'])
        .where((e) => e.or([e('q.state', '!=', 'late'), e('q.createdAt', '>', since.offered)]))
        .execute();
      const investigated = await db
        .selectFrom('issues as i')
        .leftJoin('sessions as s', (join) =>
          join.onRef('s.channel', '=', 'i.channel').onRef('s.threadTs', '=', 'i.threadTs'),
        )
        .select(['i.channel', 'i.threadTs'])
        .where('i.watched', '=', true)
        .where('i.status', '=', 'investigating')
        .where('i.state', 'in', ['pending', 'created'])
        .where('i.investigatingSince', '>', since.investigating)
        .where((e) =>
          e.or([e('s.stoppedAt', 'is', null), e('i.investigatingSince', '>', e.ref('s.stoppedAt'))]),
        )
        .where((e) =>
          e.or([
            e('i.requestedBy', 'is not', null),
            e.exists(
              e
                .selectFrom('acts')
                .select('acts.subject')
                .where('acts.subject', '=', sql<string>`'issue:' || ${sql.ref('i.uuid')}`)
                .where('acts.what', '=', since.again),
            ),
          ]),
        )
        .execute();
      const found = new Map<string, SessionThread & { status: SessionStatus }>();
      const add = (channel: string, threadTs: string | null, status: SessionStatus) => {
        const key = `${channel} ${threadTs}`;
        if (threadTs === null || found.get(key)?.status === 'processing') return;
        found.set(key, { channel, threadTs, status });
      };
      for (const { channel, threadTs } of investigated) add(channel, threadTs, 'processing');
      for (const { channel, threadTs, state } of asked)
        add(channel, threadTs, state === 'late' ? 'suspended' : 'processing');
      return [...found.values()];
    },

    /** Whether an answer in a thread is still to be posted or edited. */
    isAnswerDue: async ({ channel, threadTs }: SessionThread): Promise<boolean> => {
      const row = await db
        .selectFrom('conversations as c')
        .innerJoin('questions as q', 'q.conversation', 'c.id')
        .innerJoin('outbox as o', 'o.questionId', 'q.id')
        .select('o.key')
        .where((e) =>
          e.and({ 'c.channel': channel, 'c.threadTs': threadTs, 'o.kind': 'answer', 'o.state': 'due' }),
        )
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

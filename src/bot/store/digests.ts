import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

export type Digest = Selectable<Tables['digests']>;
export type DigestStore = ReturnType<typeof digestStore>;

/** An issue as a digest tells of it. */
export type DigestIssue = Pick<
  Selectable<Tables['issues']>,
  | 'id'
  | 'number'
  | 'organization'
  | 'title'
  | 'service'
  | 'status'
  | 'status_since'
  | 'created_at'
  | 'investigating_since'
  | 'thread_ts'
>;

const told = [
  'id',
  'number',
  'organization',
  'title',
  'service',
  'status',
  'status_since',
  'created_at',
  'investigating_since',
  'thread_ts',
] as const;

/** When each channel gets its digest, and what the digest is made of: issues that live in the channel. */
export function digestStore(db: Database) {
  const living = (channel: string) =>
    db
      .selectFrom('issues')
      .select(told)
      .where('channel', '=', channel)
      .where('state', 'in', ['pending', 'created'])
      .where('joined_into', 'is', null);
  return {
    get: async (channel: string): Promise<Digest | null> =>
      (await db.selectFrom('digests').selectAll().where('channel', '=', channel).executeTakeFirst()) ?? null,

    /** Sets or changes a channel's digest; when it came last stays known. */
    save: async (digest: Omit<Digest, 'last_at'>): Promise<void> => {
      const { channel: _, ...change } = digest;
      await db
        .insertInto('digests')
        .values({ ...digest, last_at: null })
        .onConflict((c) => c.column('channel').doUpdateSet(change))
        .execute();
    },

    remove: async (channel: string): Promise<void> => {
      await db.deleteFrom('digests').where('channel', '=', channel).execute();
    },

    /** Digests whose moment has come. */
    due: (now: number): Promise<Digest[]> =>
      db.selectFrom('digests').selectAll().where('next_at', '<=', now).orderBy('next_at').execute(),

    /** The digest of a moment is on its way; the next one is due then. */
    told: async (channel: string, at: number, nextAt: number): Promise<void> => {
      await db
        .updateTable('digests')
        .set({ last_at: at, next_at: nextAt })
        .where('channel', '=', channel)
        .execute();
    },

    /** What is not resolved, the oldest first. */
    open: (channel: string): Promise<DigestIssue[]> =>
      living(channel).where('status', '!=', 'resolved').orderBy('created_at').execute(),

    /** What was filed after `since` and up to `until`, the newest first. */
    filed: (channel: string, since: number, until: number): Promise<DigestIssue[]> =>
      living(channel)
        .where('created_at', '>', since)
        .where('created_at', '<=', until)
        .orderBy('created_at', 'desc')
        .execute(),

    /** What was resolved then and still is. */
    resolved: (channel: string, since: number, until: number): Promise<DigestIssue[]> =>
      living(channel)
        .where('status', '=', 'resolved')
        .where('status_since', '>', since)
        .where('status_since', '<=', until)
        .orderBy('status_since', 'desc')
        .execute(),

    /** The channel's issues by how often they fired again in it then, the most often first. */
    offenders: (channel: string, since: number, until: number, limit: number) =>
      db
        .selectFrom('alerts')
        .innerJoin('issues', 'issues.id', 'alerts.issue_id')
        .select(told.map((column) => `issues.${column}` as const))
        .select((e) => e.fn.countAll<number>().as('times'))
        .where('alerts.channel', '=', channel)
        .where('issues.channel', '=', channel)
        .where('issues.state', 'in', ['pending', 'created'])
        .where('alerts.decision', '=', 'repeat')
        .where('alerts.decided_at', '>', since)
        .where('alerts.decided_at', '<=', until)
        .groupBy('issues.id')
        .orderBy('times', 'desc')
        .orderBy('issues.number')
        .limit(limit)
        .execute(),
  };
}

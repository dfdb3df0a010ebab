import type { Selectable } from 'kysely';
import { isDue } from './due.ts';
import { isNoSymptomIn } from './incidents.ts';
import type { Database, Tables } from './tables.ts';

export type Digest = Selectable<Tables['digests']>;

/** Between two digests: a week, and an hour of summer time. */
const LONGEST_MS = 8 * 86_400_000;

export type DigestIssue = Pick<
  Selectable<Tables['issues']>,
  | 'id'
  | 'number'
  | 'organization'
  | 'title'
  | 'service'
  | 'status'
  | 'severity'
  | 'raisedSeverity'
  | 'version'
  | 'endedVersion'
  | 'statusSince'
  | 'createdAt'
  | 'investigatingSince'
  | 'threadTs'
  | 'symptomOf'
>;

const COLUMNS = [
  'id',
  'number',
  'organization',
  'title',
  'service',
  'status',
  'severity',
  'raisedSeverity',
  'version',
  'endedVersion',
  'statusSince',
  'createdAt',
  'investigatingSince',
  'threadTs',
  'symptomOf',
] as const;

/** When each channel gets its digest, and its contents: issues that live in the channel, one for each incident. */
export function digestStore(db: Database) {
  const living = (channel: string) =>
    db
      .selectFrom('issues')
      .select(COLUMNS)
      .where('channel', '=', channel)
      .where('state', 'in', ['pending', 'created'])
      .where('joinedInto', 'is', null)
      .where(isNoSymptomIn([channel]));
  return {
    get: async (channel: string): Promise<Digest | null> =>
      (await db.selectFrom('digests').selectAll().where('channel', '=', channel).executeTakeFirst()) ?? null,

    /** Sets or changes a channel's digest; keeps the time of the last one. */
    save: async (digest: Omit<Digest, 'lastAt'>): Promise<void> => {
      const { channel: _, ...change } = digest;
      await db
        .insertInto('digests')
        .values({ ...digest, lastAt: null })
        .onConflict((c) => c.column('channel').doUpdateSet(change))
        .execute();
    },

    remove: async (channel: string): Promise<void> => {
      await db.deleteFrom('digests').where('channel', '=', channel).execute();
    },

    due: (now: number): Promise<Digest[]> =>
      db.selectFrom('digests').selectAll().where(isDue(now, LONGEST_MS)).execute(),

    /** A digest is on its way; sets when the next one is due. */
    notified: async (channel: string, at: number, nextAt: number): Promise<void> => {
      await db.updateTable('digests').set({ lastAt: at, nextAt }).where('channel', '=', channel).execute();
    },

    /** Unresolved issues, oldest first. */
    open: (channel: string): Promise<DigestIssue[]> =>
      living(channel).where('status', '!=', 'resolved').orderBy('createdAt').execute(),

    /** Issues filed after `since` and up to `until`, newest first. */
    filed: (channel: string, since: number, until: number): Promise<DigestIssue[]> =>
      living(channel)
        .where('createdAt', '>', since)
        .where('createdAt', '<=', until)
        .orderBy('createdAt', 'desc')
        .execute(),

    /** Issues resolved then and still resolved. */
    resolved: (channel: string, since: number, until: number): Promise<DigestIssue[]> =>
      living(channel)
        .where('status', '=', 'resolved')
        .where('statusSince', '>', since)
        .where('statusSince', '<=', until)
        .orderBy('statusSince', 'desc')
        .execute(),

    /** The channel's issues by how often they fired again in it then, most often first. */
    offenders: (channel: string, since: number, until: number, limit: number) =>
      db
        .selectFrom('alerts')
        .innerJoin('issues', 'issues.id', 'alerts.issueId')
        .select(COLUMNS.map((column) => `issues.${column}` as const))
        .select((e) => e.fn.countAll<number>().as('times'))
        .where((e) =>
          e.and({ 'alerts.channel': channel, 'issues.channel': channel, 'alerts.decision': 'repeat' }),
        )
        .where('issues.state', 'in', ['pending', 'created'])
        .where('alerts.decidedAt', '>', since)
        .where('alerts.decidedAt', '<=', until)
        .groupBy('issues.id')
        .orderBy('times', 'desc')
        .orderBy('issues.number')
        .limit(limit)
        .execute(),
  };
}

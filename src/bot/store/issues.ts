import {
  type ExpressionBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely';
import type { Organization } from '../../contract/client/client.ts';
import { atService, type IssueNumber, issueNumber } from '../shared/issue-number.ts';
import { AT_ONCE, countOf, isDue, turnOf, untilNext } from './due.ts';
import type { Transition } from './issue-transitions.ts';
import type { Database, Tables } from './tables.ts';
import { type Wake, wakeNobody } from './wakeups.ts';

export type Issue = Selectable<Tables['issues']>;
export type NewIssue = Omit<
  Issue,
  | 'attemptedAt'
  | 'attempts'
  | 'nextAt'
  | 'failure'
  | 'uuid'
  | 'number'
  | 'version'
  | 'repeats'
  | 'lastRepeatAt'
  | 'recoveredAt'
  | 'checkedAt'
  | 'endedVersion'
  | 'watched'
  | 'lastAction'
  | 'raisedSeverity'
  | 'statusBefore'
  | 'wantedStatus'
  | 'earlier'
  | 'note'
  | 'joinedInto'
  | 'apartFrom'
  | 'cause'
  | 'symptomOf'
  | 'mutedUntil'
  | 'hidden'
  | 'waitsIn'
  | 'ourStatus'
  | 'organization'
> & { earlier?: string | null; organization?: Organization };
/** A literal: because of a partial index, SQLite would re-prepare a query with a parameter here for each value. */
const isOpen = sql<SqlBool>`is_open = 1`;
/** Far more than are open at once in one environment, where anybody keeps up. */
const MOST_BESIDE = 100;
/** Only this many of the newest are read. */
const AMONG_NEWEST = 1_000;

/** That of an alert is sent once the message that it leads back to is in Slack. */
const isPlaced = sql<SqlBool>`(thread_ts is not null or requested_by is not null)`;

/** Our side of each issue: its cause, where it lives in Slack, what we last saw of it at the service. */
export function issueStore(db: Database, wake: Wake = wakeNobody) {
  const all = db.selectFrom('issues').selectAll();
  const one = async (column: 'id' | 'uuid', value: string): Promise<Issue | null> =>
    (await all.where(column, '=', value).executeTakeFirst()) ?? null;
  const ofOrganization = (organization: Organization) => all.where('organization', '=', organization);
  const inAny = (organization?: Organization) => {
    const issues = db.selectFrom('issues');
    return organization === undefined ? issues : issues.where('organization', '=', organization);
  };
  const pendingIn = (organization?: Organization) =>
    inAny(organization).where('state', '=', 'pending').where(isPlaced);
  const watchedIn = (organization?: Organization) =>
    inAny(organization).where('watched', '=', true).where('state', '=', 'created');
  const wantingIn = (organization: Organization) =>
    inAny(organization).where('wantedStatus', 'is not', null).where('state', '=', 'created');
  /** The rule of `filing/privacy.ts` as a condition, so that a limit counts only what may be shown. */
  const mayBeShownIn = (channel: string) => (e: ExpressionBuilder<Tables, 'issues'>) =>
    e.or([
      e('issues.channel', '=', channel),
      e(
        'issues.channel',
        'in',
        e.selectFrom('channels').select('channels.channel').where('isPrivate', '=', false),
      ),
    ]);
  /** A status decided before the issue was created can be sent once it is. */
  const wakeFor = (
    organization: Organization,
    set: Pick<
      Updateable<Tables['issues']>,
      'state' | 'wantedStatus' | 'investigatingSince' | 'threadTs' | 'request'
    >,
  ) => {
    const { state, wantedStatus = null, investigatingSince, threadTs, request } = set;
    if (investigatingSince !== undefined || threadTs !== undefined) wake('sessions');
    // An alert's request is complete once its message is in Slack.
    if (state === 'pending' || request !== undefined) wake(`filed.${organization}`);
    if (state === 'pending' || request !== undefined) wake('timers');
    if (state === 'created' || wantedStatus !== null) wake(`status.${organization}`);
    if (state !== 'pending' && investigatingSince !== undefined) wake(`young.${organization}`);
  };
  return {
    get: (id: string) => one('id', id),
    byUuid: (uuid: string) => one('uuid', uuid),

    byNumber: async (named: IssueNumber): Promise<Issue | null> => {
      const { organization, number } = atService(named);
      return (await ofOrganization(organization).where('number', '=', number).executeTakeFirst()) ?? null;
    },

    /** Those that are known here. */
    byNumbers: async (named: readonly IssueNumber[]): Promise<Issue[]> => {
      if (named.length === 0) return [];
      const numbers = named.map((one) => atService(one).number);
      const rows = all.where('number', 'in', numbers).orderBy('number');
      return (await rows.execute()).filter((row) => named.some((one) => one === issueNumber(row)));
    },

    livesIn: async (channel: string, organization: Organization): Promise<boolean> => {
      const rows = db.selectFrom('issues').select('id').where('channel', '=', channel);
      return (await rows.where('organization', '=', organization).limit(1).executeTakeFirst()) !== undefined;
    },

    /** The channels that an organization's issues belong to, also those of issues that only the service still has. */
    places: async (organization: Organization): Promise<string[]> => {
      const rows = await db
        .selectFrom('issues')
        .select('channel')
        .where('organization', '=', organization)
        .union(db.selectFrom('tombstones').select('channel').where('organization', '=', organization))
        .execute();
      return rows.map(({ channel }) => channel);
    },

    byThread: async (channel: string, threadTs: string): Promise<Issue | null> =>
      (await all
        .where((e) => e.and({ channel, threadTs }))
        .orderBy('createdAt', 'desc')
        .executeTakeFirst()) ?? null,

    /** The issue that repeats of this identity join. */
    openByIdentity: async (identity: string): Promise<Issue | null> =>
      (await all.where('identity', '=', identity).where(isOpen).executeTakeFirst()) ?? null,

    isOpenTitled: async (channel: string, title: string): Promise<boolean> => {
      const rows = db.selectFrom('issues').select('id').where('channel', '=', channel);
      return (await rows.where('title', '=', title).where(isOpen).limit(1).executeTakeFirst()) !== undefined;
    },

    /** Adds an issue; false if the same cause or an open issue of the same identity exists. */
    add: async (issue: NewIssue): Promise<boolean> => {
      const row = await db
        .insertInto('issues')
        .values({
          ...issue,
          attemptedAt: null,
          attempts: 0,
          nextAt: AT_ONCE,
          version: 1,
          repeats: 0,
          checkedAt: 0,
          endedVersion: 0,
          watched: true,
        })
        .onConflict((c) => c.doNothing())
        .returning('organization')
        .executeTakeFirst();
      if (row !== undefined) wakeFor(row.organization, issue);
      return row !== undefined;
    },

    /** @returns false if the issue's state does not allow it; it stays as it is */
    apply: async (id: string, { from, set }: Transition): Promise<boolean> => {
      const changed = await db
        .updateTable('issues')
        .set(set)
        .where('id', '=', id)
        .where('state', 'in', from)
        .returning('organization')
        .executeTakeFirst();
      if (changed !== undefined) wakeFor(changed.organization, set);
      return changed !== undefined;
    },

    /** Sets columns, bypassing all transitions: for benchmarks and tests. */
    rewrite: async (id: string, columns: Updateable<Tables['issues']>): Promise<void> => {
      await db.updateTable('issues').set(columns).where('id', '=', id).execute();
    },

    /** The newest issue of an identity that accepts no more repeats. */
    lastClosed: async (identity: string): Promise<Issue | null> =>
      (await all
        .where('identity', '=', identity)
        .where('isOpen', '=', false)
        .where('state', '=', 'created')
        .orderBy('statusSince', 'desc')
        .executeTakeFirst()) ?? null,

    /** Resolved issues of the same identity or cause that were filed since then and before this one, newest first. */
    endedLike: async (
      {
        id,
        identity,
        cause,
        environment,
        createdAt,
      }: Pick<Issue, 'id' | 'identity' | 'cause' | 'environment' | 'createdAt'>,
      since: number,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<Issue[]> => {
      if (identity === null && cause === null) return [];
      return all
        .where((e) =>
          e.or([
            ...(identity === null ? [] : [e('identity', '=', identity)]),
            ...(cause === null ? [] : [e.and([e('cause', '=', cause), e('environment', '=', environment)])]),
          ]),
        )
        .where('id', '!=', id)
        .where('state', '=', 'created')
        .where((e) => e.or([e('status', '=', 'resolved'), e('recoveredAt', 'is not', null)]))
        .where('joinedInto', 'is', null)
        .where('createdAt', '>', since)
        .where('createdAt', '<=', createdAt)
        .orderBy('statusSince', 'desc')
        .orderBy('createdAt')
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .execute();
    },

    /**
     * Other open issues of the same environment and organization that may be shown in the issue's channel, the first of them
     * first.
     */
    openBeside: ({
      id,
      channel,
      organization,
      environment,
    }: Pick<Issue, 'id' | 'channel' | 'organization' | 'environment'>): Promise<Issue[]> =>
      ofOrganization(organization)
        .where(mayBeShownIn(channel))
        .where((e) => e.and({ environment, state: 'created' }))
        .where(isOpen)
        .where('id', '!=', id)
        .orderBy('createdAt', 'desc')
        .limit(MOST_BESIDE)
        .execute()
        .then((rows) => rows.toReversed()),

    /** The issues of the incident that this one leads, oldest first. */
    symptomsOf: (id: string): Promise<Issue[]> =>
      all.where('symptomOf', '=', id).orderBy('createdAt').execute(),

    /** What was led by one issue is led by another; by none if that is `null`. */
    moveSymptoms: async (from: string, to: string | null): Promise<void> => {
      await db.updateTable('issues').set({ symptomOf: to }).where('symptomOf', '=', from).execute();
    },

    /** The issues of an incident beside the one that leads it, and those that people attached to that. */
    about: (id: string): Promise<Issue[]> =>
      all
        .where((e) => e.or([e('symptomOf', '=', id), e('joinedInto', '=', id)]))
        .where('state', '=', 'created')
        .orderBy('createdAt')
        .limit(50)
        .execute(),

    openIn: (channel: string, limit: number): Promise<Issue[]> =>
      all
        .where('channel', '=', channel)
        .where(isOpen)
        .where('number', 'is not', null)
        .orderBy('createdAt', 'desc')
        .limit(limit)
        .execute(),

    /** Whether an issue was deleted since then, here or at the service. */
    isAnyGoneSince: async (since: number): Promise<boolean> => {
      const rows = db.selectFrom('issues').select('id').where('isOpen', '=', false);
      const gone = rows.where('statusSince', '>', since).where('state', '=', 'gone');
      return (await gone.limit(1).executeTakeFirst()) !== undefined;
    },

    /** The environments of the newest issues, each once, most recent first. */
    environmentsUsed: async (limit: number): Promise<string[]> => {
      const newest = db
        .selectFrom('issues')
        .select(['environment', 'createdAt'])
        .orderBy('createdAt', 'desc')
        .limit(AMONG_NEWEST);
      const rows = await db
        .selectFrom(newest.as('newest'))
        .select('environment')
        .groupBy('environment')
        .orderBy((e) => e.fn.max('createdAt'), 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ environment }) => environment);
    },

    /** Incidents caused by alerts since then, in the whole workspace. */
    countFromAlerts: (since: number): Promise<number> =>
      countOf(
        db
          .selectFrom('issues')
          .where('requestedBy', 'is', null)
          .where('symptomOf', 'is', null)
          .where('createdAt', '>', since),
      ),

    /** When the nth newest issue that a person filed since then was added; `null` if there are fewer. */
    nthFiledBy: (by: string, since: number, n: number): Promise<number | null> =>
      nthNewest(db.selectFrom('issues').where('requestedBy', '=', by).where('createdAt', '>', since), n),

    /** When the nth newest issue caused by an alert was added; `null` if there are fewer. */
    nthFromAlertsAt: (n: number): Promise<number | null> =>
      nthNewest(db.selectFrom('issues').where('requestedBy', 'is', null).where('symptomOf', 'is', null), n),

    /** Issues whose status is to be sent to the service now. */
    wanting: (now: number, limit: number, organization: Organization = 'default'): Promise<Issue[]> =>
      wantingIn(organization).selectAll().where(isDue(now)).orderBy('nextAt').limit(limit).execute(),

    untilWanting: (now: number, organization: Organization): Promise<number> =>
      untilNext(wantingIn(organization), now),

    muteEnded: (now: number): Promise<Issue[]> =>
      all
        .where('status', '=', 'muted')
        .where('mutedUntil', '<=', now)
        .where('wantedStatus', 'is', null)
        .execute(),

    /** Open issues still firing that fired after `since`, newest first. */
    firingSince: (since: number, limit: number): Promise<Issue[]> =>
      all
        .where(isOpen)
        .where('recoveredAt', 'is', null)
        .where('threadTs', 'is not', null)
        .where((e) => e.or([e('createdAt', '>', since), e('lastRepeatAt', '>', since)]))
        .orderBy('createdAt', 'desc')
        .limit(limit)
        .execute(),

    /** Issues to create at the service now: people's requests first, then the oldest of each channel in turn. */
    pending: (now: number, limit: number, organization: Organization = 'default'): Promise<Issue[]> =>
      pendingIn(organization)
        .selectAll()
        .where(isDue(now))
        .orderBy((e) => e('requestedBy', 'is', null))
        .orderBy(turnOf('channel', 'createdAt'))
        .orderBy('createdAt')
        .limit(limit)
        .execute(),

    untilPending: (now: number, organization: Organization): Promise<number> =>
      untilNext(pendingIn(organization), now),

    /** Makes delayed retries due now, in order. */
    retryPending: async (organization: Organization = 'default'): Promise<void> => {
      await db
        .updateTable('issues')
        .set({ nextAt: 0 })
        .where((e) => e.and({ organization, state: 'pending' }))
        .where('nextAt', '>', 0)
        .execute();
    },

    /** Watched issues under investigation, or with an unannounced end: only the columns needed to choose from. */
    investigating: (
      organization: Organization = 'default',
    ): Promise<Pick<Issue, 'id' | 'uuid' | 'checkedAt'>[]> =>
      watchedIn(organization)
        .select(['id', 'uuid', 'checkedAt'])
        .where((e) => e.or([e('status', '=', 'investigating'), e('endedVersion', '<', e.ref('version'))]))
        .orderBy('checkedAt')
        .execute(),

    /** Watched issues whose investigation began after `since`, and runs. */
    young: (
      organization: Organization,
      since: number,
    ): Promise<Pick<Issue, 'id' | 'uuid' | 'investigatingSince'>[]> =>
      watchedIn(organization)
        .select(['id', 'uuid', 'investigatingSince'])
        .where('status', '=', 'investigating')
        .where('investigatingSince', '>', since)
        .execute(),

    /** Watched issues past their investigation that were last checked before `before`, or by a clock that was wrong. */
    idle: (
      before: number,
      limit: number,
      organization: Organization = 'default',
      now = Number.MAX_SAFE_INTEGER,
    ): Promise<Pick<Issue, 'id'>[]> =>
      watchedIn(organization)
        .select('id')
        .where('status', '!=', 'investigating')
        .whereRef('endedVersion', '>=', 'version')
        .where((e) => e.or([e('checkedAt', '<=', before), e('checkedAt', '>', now)]))
        .orderBy('checkedAt')
        .limit(limit)
        .execute(),

    /** Issues still to be created, or watched. */
    unended: (organization: Organization): Promise<Pick<Issue, 'id'>[]> =>
      db
        .selectFrom('issues')
        .select('id')
        .where('organization', '=', organization)
        .where((e) =>
          e.or([e('state', '=', 'pending'), e.and([e('state', '=', 'created'), e('watched', '=', true)])]),
        )
        .execute(),

    /** Issues still to be created at the service: of one organization, or of all. */
    countPending: (organization?: Organization): Promise<number> => countOf(pendingIn(organization)),

    countWatched: (organization?: Organization): Promise<number> => countOf(watchedIn(organization)),
  };
}

async function nthNewest(
  issues: SelectQueryBuilder<Tables, 'issues', object>,
  n: number,
): Promise<number | null> {
  const newest = issues.select('createdAt').orderBy('createdAt', 'desc');
  return (
    (
      await newest
        .offset(n - 1)
        .limit(1)
        .executeTakeFirst()
    )?.createdAt ?? null
  );
}

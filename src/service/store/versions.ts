import { randomUUID } from 'node:crypto';
import { type Status, StoredFindings } from '../../contract/schema.ts';
import type { Database } from './database.ts';
import { ISSUE_COLUMNS, type IssueRow, type VersionRow } from './tables.ts';

/** A pending investigation, with its issue. */
export interface Job {
  uuid: string;
  version: number;
  startedAt: number;
  issue: IssueRow;
}

interface VersionEnd {
  status: 'SUCCESS' | 'FAILED';
  description: string;
  now: number;
  /** When the issue is to be investigated again. */
  againAt?: number | null;
}

/** The versions of issues; each is one investigation. */
export function createVersionStore(db: Database) {
  const versionsOf = (issue: string) =>
    db.query.selectFrom('versions').select(VERSION_COLUMNS).where('issue', '=', issue);
  const owned = ({ query }: Database, owner: string) =>
    query.updateTable('versions').where('owner', '=', owner).where('status', '=', 'RUNNING');

  const start = (issue: string, now: number): Promise<VersionRow> =>
    db.transaction(async ({ query, dialect }) => {
      // First, so that nobody else starts a version of the issue meanwhile.
      await query
        .updateTable('issues')
        .set({ status: 'investigating', updatedAt: now })
        .where('uuid', '=', issue)
        .execute();
      const { latest } = await query
        .selectFrom('versions')
        .select(({ fn }) => fn.max('version').as('latest'))
        .where('issue', '=', issue)
        .executeTakeFirstOrThrow();
      const row: VersionRow = {
        uuid: randomUUID(),
        issue,
        version: Number(latest ?? 0) + 1,
        status: 'RUNNING',
        description: 'The investigation is running.',
        sessionUuid: randomUUID(),
        startedAt: now,
        findings: null,
      };
      await query.insertInto('versions').values(row).execute();
      await dialect.notify(query);
      return row;
    });

  return {
    /** Adds the issue's next version, running, and sets the issue to `investigating`. */
    start,
    /**
     * Starts the next version of issues that were to be investigated again by now, unless somebody has closed or restarted them.
     *
     * @returns milliseconds until the next is due; `Infinity` if there is none
     */
    startAgain: async (now: number): Promise<number> => {
      const due = await db.query
        .selectFrom('versions')
        .select(['uuid', 'issue'])
        .where('againAt', '<=', now)
        .execute();
      for (const { uuid, issue } of due) {
        await db.transaction(async (tx) => {
          const { query } = tx;
          const taken = await query
            .updateTable('versions')
            .set({ againAt: null })
            .where('uuid', '=', uuid)
            .where('againAt', 'is not', null)
            .returning('version')
            .executeTakeFirst();
          if (taken === undefined) return;
          // Locks the issue, so that nobody else starts a version meanwhile.
          const open = await query
            .updateTable('issues')
            .set({ updatedAt: now })
            .where('uuid', '=', issue)
            .where('status', '=', 'ready_to_fix')
            .where(({ not, exists, selectFrom }) =>
              not(
                exists(
                  selectFrom('versions')
                    .select('uuid')
                    .where('issue', '=', issue)
                    .where('version', '>', taken.version),
                ),
              ),
            )
            .returning('uuid')
            .executeTakeFirst();
          if (open !== undefined) await createVersionStore(tx).start(issue, now);
        });
      }
      const { next } = await db.query
        .selectFrom('versions')
        .select(({ fn }) => fn.min('againAt').as('next'))
        .where('againAt', 'is not', null)
        .executeTakeFirstOrThrow();
      return next === null ? Number.POSITIVE_INFINITY : Number(next) - now;
    },
    /** Oldest first. */
    of: (issue: string): Promise<VersionRow[]> => versionsOf(issue).orderBy('version').execute(),
    /** The version of that number; by default the newest. */
    find: (issue: string, version: number | undefined): Promise<VersionRow | undefined> =>
      version === undefined
        ? versionsOf(issue).orderBy('version', 'desc').limit(1).executeTakeFirst()
        : versionsOf(issue).where('version', '=', version).executeTakeFirst(),
    /** Assigns running versions without an owner to `owner`, limited in number, oldest first. Returns their UUIDs. */
    claim: (owner: string, most: number): Promise<string[]> =>
      db.transaction(async ({ query, dialect }) => {
        const claimed = await query
          .with('free', (cte) =>
            cte
              .selectFrom('versions')
              .select('uuid')
              .where('status', '=', 'RUNNING')
              .where(dialect.isFree(owner))
              .orderBy('startedAt')
              .limit(most)
              .$if(dialect.isShared, (q) => q.forUpdate().skipLocked()),
          )
          .updateTable('versions')
          .set({ owner, leaseUntil: dialect.leaseUntil })
          .where('uuid', 'in', (eb) => eb.selectFrom('free').select('uuid'))
          .returning(['uuid', 'startedAt'])
          .execute();
        return oldestFirst(claimed);
      }),
    /**
     * Renews the leases of everything that `owner` investigates. Returns what that is, oldest first: it may have lost
     * some.
     */
    renew: (owner: string): Promise<string[]> =>
      db.transaction(async (tx) => {
        const rows = await owned(tx, owner)
          .set({ leaseUntil: tx.dialect.leaseUntil })
          .returning(['uuid', 'startedAt'])
          .execute();
        return oldestFirst(rows);
      }),
    /** Lets others take over `owner`'s investigations. */
    release: (owner: string): Promise<void> =>
      db.transaction(async (tx) => {
        await owned(tx, owner).set({ owner: null, leaseUntil: null }).execute();
        await tx.dialect.notify(tx.query);
      }),
    /** Undefined if `owner` no longer has the version, or its issue was deleted. */
    job: async (uuid: string, owner: string): Promise<Job | undefined> => {
      const row = await db.query
        .selectFrom('versions')
        .innerJoin('issues', 'issues.uuid', 'versions.issue')
        .select(['versions.version', 'versions.startedAt', ...ISSUE_COLUMNS])
        .where('versions.uuid', '=', uuid)
        .where('versions.owner', '=', owner)
        .where('versions.status', '=', 'RUNNING')
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { version, startedAt, ...issue } = row;
      return { uuid, version, startedAt, issue };
    },
    /** Returns false, and stores nothing, if `owner` no longer has the version. */
    saveFindings: (uuid: string, owner: string, findings: StoredFindings): Promise<boolean> =>
      db.transaction(async (tx) => {
        const saved = await owned(tx, owner)
          .set({ findings: JSON.stringify(findings, withoutNul) })
          .where('uuid', '=', uuid)
          .returning('uuid')
          .executeTakeFirst();
        return saved !== undefined;
      }),
    /** The version's prediction did not come true: its cause is ruled out in later versions. */
    refute: async (uuid: string, findings: StoredFindings): Promise<void> => {
      const { prediction } = findings;
      const refuted = { ...findings, prediction: prediction && { ...prediction, isRefuted: true } };
      await db.query
        .updateTable('versions')
        .set({ findings: JSON.stringify(refuted, withoutNul) })
        .where('uuid', '=', uuid)
        .execute();
    },
    refuted: async (issue: string): Promise<{ place: string; kind: string }[]> =>
      (await versionsOf(issue).execute()).flatMap(({ findings }) => {
        const found = findings === null ? null : StoredFindings.safeParse(JSON.parse(findings));
        const prediction = found?.data?.prediction;
        return prediction?.isRefuted ? [{ place: prediction.place, kind: prediction.kind }] : [];
      }),
    /** Ends a version investigated by `owner`; an issue that is still `investigating` becomes `ready_to_fix`. */
    finish: (
      uuid: string,
      owner: string,
      { status, description, now, againAt = null }: VersionEnd,
    ): Promise<void> =>
      db.transaction(async (tx) => {
        const ended = await owned(tx, owner)
          .set({ status, description, owner: null, leaseUntil: null, againAt })
          .where('uuid', '=', uuid)
          .returning('issue')
          .executeTakeFirst();
        if (ended === undefined) return;
        await tx.query
          .updateTable('issues')
          .set((eb) => ({
            updatedAt: now,
            status: eb
              .case()
              .when('status', '=', 'investigating')
              .then(eb.val<Status>('ready_to_fix'))
              .else(eb.ref('status'))
              .end(),
          }))
          .where('uuid', '=', ended.issue)
          .execute();
      }),
  };
}

function oldestFirst(rows: { uuid: string; startedAt: number }[]): string[] {
  return rows.sort((a, b) => a.startedAt - b.startedAt).map(({ uuid }) => uuid);
}

/** PostgreSQL rejects JSON that contains U+0000. */
function withoutNul(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

const VERSION_COLUMNS = [
  'uuid',
  'issue',
  'version',
  'status',
  'description',
  'sessionUuid',
  'startedAt',
  'findings',
] as const satisfies (keyof VersionRow)[];

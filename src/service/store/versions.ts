import { randomUUID } from 'node:crypto';
import type { Status } from '../schema/issue.ts';
import type { Findings } from '../schema/results.ts';
import type { Database } from './database.ts';
import { ISSUE_COLUMNS, type IssueRow, type VersionRow } from './tables.ts';

/** One investigation that has to be done, with the issue it is about. */
export interface Job {
  uuid: string;
  startedAt: number;
  issue: IssueRow;
}

export interface VersionStore {
  /** Adds the issue's next version, running, and sets the issue to `investigating`. */
  start(issue: string, now: number): Promise<VersionRow>;
  /** Oldest first. */
  of(issue: string): Promise<VersionRow[]>;
  /** The version of that number, or without one the newest. */
  find(issue: string, version: number | undefined): Promise<VersionRow | undefined>;
  /** Undefined where the version is not running (any more), or its issue was deleted. */
  job(uuid: string): Promise<Job | undefined>;
  /** Versions that have not ended, oldest first. */
  running(): Promise<string[]>;
  /** Answers false where the version is not running (any more), or its issue was deleted. */
  saveFindings(uuid: string, findings: Findings): Promise<boolean>;
  /** Ends a running version; an issue that is still `investigating` becomes `ready_to_fix`. */
  finish(uuid: string, status: 'SUCCESS' | 'FAILED', description: string, now: number): Promise<void>;
}

/** The versions of issues: one is one investigation (contract, 2.4). */
export function createVersionStore(db: Database): VersionStore {
  const versionsOf = (issue: string) =>
    db.query.selectFrom('versions').select(VERSION_COLUMNS).where('issue', '=', issue);

  return {
    start: (issue, now) =>
      db.transaction(async ({ query }) => {
        // First, so that nobody else starts a version of the same issue meanwhile.
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
        return row;
      }),
    of: (issue) => versionsOf(issue).orderBy('version').execute(),
    find: (issue, version) =>
      version === undefined
        ? versionsOf(issue).orderBy('version', 'desc').limit(1).executeTakeFirst()
        : versionsOf(issue).where('version', '=', version).executeTakeFirst(),
    job: async (uuid) => {
      const row = await db.query
        .selectFrom('versions')
        .innerJoin('issues', 'issues.uuid', 'versions.issue')
        .select(['versions.startedAt', ...ISSUE_COLUMNS])
        .where('versions.uuid', '=', uuid)
        .where('versions.status', '=', 'RUNNING')
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { startedAt, ...issue } = row;
      return { uuid, startedAt, issue };
    },
    running: async () => {
      const rows = await db.query
        .selectFrom('versions')
        .select('uuid')
        .where('status', '=', 'RUNNING')
        .orderBy('startedAt')
        .execute();
      return rows.map(({ uuid }) => uuid);
    },
    saveFindings: (uuid, findings) =>
      db.transaction(async ({ query }) => {
        const saved = await query
          .updateTable('versions')
          .set({ findings: JSON.stringify(findings, withoutNul) })
          .where('uuid', '=', uuid)
          .where('status', '=', 'RUNNING')
          .returning('uuid')
          .executeTakeFirst();
        return saved !== undefined;
      }),
    finish: (uuid, status, description, now) =>
      db.transaction(async ({ query }) => {
        const ended = await query
          .updateTable('versions')
          .set({ status, description })
          .where('uuid', '=', uuid)
          .where('status', '=', 'RUNNING')
          .returning('issue')
          .executeTakeFirst();
        if (ended === undefined) return;
        await query
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

/** PostgreSQL reads no JSON in which there is a U+0000. */
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

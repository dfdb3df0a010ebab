import { randomUUID } from 'node:crypto';
import type { Findings } from '../schema/results.ts';
import type { Connection } from './database.ts';
import type { IssueRow, VersionRow, VersionStatus } from './entities.ts';

/** One investigation that has to be done, with the issue it is about. */
export interface Job {
  uuid: string;
  startedAt: number;
  issue: IssueRow;
}

export interface VersionStore {
  /** Adds the issue's next version, running, and sets the issue to `investigating`. */
  start(issue: string, now: number): VersionRow;
  /** Oldest first. */
  of(issue: string): VersionRow[];
  /** The version of that number, or without one the newest. */
  find(issue: string, version: number | undefined): VersionRow | undefined;
  latestNumber(issue: string): number;
  /** Undefined where the version is not running (any more), or its issue was deleted. */
  job(uuid: string): Job | undefined;
  /** Versions that have not ended, oldest first. */
  running(): string[];
  saveFindings(uuid: string, findings: Findings): void;
  /** Ends a running version; an issue that is still `investigating` becomes `ready_to_fix`. */
  finish(uuid: string, status: 'SUCCESS' | 'FAILED', description: string, now: number): void;
}

/** The versions of issues: one is one investigation (contract, 2.4). */
export function createVersionStore(db: Connection): VersionStore {
  const insert = db.prepare<[VersionRow]>(
    `INSERT INTO versions (uuid, issue, version, status, description, sessionUuid, startedAt, findings)
     VALUES (@uuid, @issue, @version, @status, @description, @sessionUuid, @startedAt, @findings)`,
  );
  const latest = db.prepare<[string], { version: number | null }>(
    'SELECT max(version) AS version FROM versions WHERE issue = ?',
  );
  const all = db.prepare<[string], VersionRow>('SELECT * FROM versions WHERE issue = ? ORDER BY version');
  const newest = db.prepare<[string], VersionRow>(
    'SELECT * FROM versions WHERE issue = ? ORDER BY version DESC LIMIT 1',
  );
  const byNumber = db.prepare<[string, number], VersionRow>(
    'SELECT * FROM versions WHERE issue = ? AND version = ?',
  );
  const running = db.prepare<[], { uuid: string }>(
    "SELECT uuid FROM versions WHERE status = 'RUNNING' ORDER BY startedAt",
  );
  const runningByUuid = db.prepare<[string], VersionRow>(
    "SELECT * FROM versions WHERE uuid = ? AND status = 'RUNNING'",
  );
  const issueOf = db.prepare<[string], IssueRow>('SELECT * FROM issues WHERE uuid = ?');
  const investigating = db.prepare<[number, string]>(
    "UPDATE issues SET status = 'investigating', updatedAt = ? WHERE uuid = ?",
  );
  const saveFindings = db.prepare<[string, string]>('UPDATE versions SET findings = ? WHERE uuid = ?');
  const end = db.prepare<[VersionStatus, string, string]>(
    "UPDATE versions SET status = ?, description = ? WHERE uuid = ? AND status = 'RUNNING'",
  );
  const ready = db.prepare<[number, string]>(
    `UPDATE issues SET updatedAt = ?, status = iif(status = 'investigating', 'ready_to_fix', status)
     WHERE uuid = (SELECT issue FROM versions WHERE uuid = ?)`,
  );

  const start = db.transaction((issue: string, now: number): VersionRow => {
    const version = (latest.get(issue)?.version ?? 0) + 1;
    const row: VersionRow = {
      uuid: randomUUID(),
      issue,
      version,
      status: 'RUNNING',
      description: 'The investigation is running.',
      sessionUuid: randomUUID(),
      startedAt: now,
      findings: null,
    };
    insert.run(row);
    investigating.run(now, issue);
    return row;
  });
  const finish = db.transaction(
    (uuid: string, status: 'SUCCESS' | 'FAILED', description: string, now: number) => {
      if (end.run(status, description, uuid).changes > 0) ready.run(now, uuid);
    },
  );

  return {
    start: (issue, now) => start.immediate(issue, now),
    of: (issue) => all.all(issue),
    find: (issue, version) => (version === undefined ? newest.get(issue) : byNumber.get(issue, version)),
    latestNumber: (issue) => latest.get(issue)?.version ?? 0,
    job: (uuid) => {
      const version = runningByUuid.get(uuid);
      const issue = version && issueOf.get(version.issue);
      return issue && { uuid, startedAt: version.startedAt, issue };
    },
    running: () => running.all().map(({ uuid }) => uuid),
    saveFindings: (uuid, findings) => {
      saveFindings.run(JSON.stringify(findings), uuid);
    },
    finish: (uuid, status, description, now) => finish.immediate(uuid, status, description, now),
  };
}

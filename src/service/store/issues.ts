import { randomUUID } from 'node:crypto';
import type { IssueContext, Severity, Status } from '../schema/issue.ts';
import type { Connection } from './database.ts';
import type { IssueRow, SeedRow } from './entities.ts';
import { foldCase } from './fold-case.ts';

interface NewIssue {
  title: string;
  description: string;
  environment: string;
  severity: Severity;
  triggeredAt: number;
  context: IssueContext;
}

export interface IssueStore {
  /** Takes the organisation's next number; the issue has a seed, but no version yet. */
  create(organisation: string, issue: NewIssue, now: number): IssueRow;
  byId(organisation: string, uuid: string): IssueRow | undefined;
  byNumber(organisation: string, number: number): IssueRow | undefined;
  seeds(uuid: string): SeedRow[];
  setStatus(uuid: string, status: Status, now: number): void;
  /** With its seeds, versions and artifacts. Answers its number, undefined where there was none. */
  delete(organisation: string, uuid: string): number | undefined;
}

interface Folded {
  foldedTitle: string;
  foldedDescription: string;
}

const COLUMNS =
  'id, uuid, organisation, number, title, description, severity, status, environment, triggeredAt, createdAt, updatedAt, context';

/** Everything that is kept of issues, but for their lists (`store/listing.ts`) and versions. */
export function createIssueStore(db: Connection): IssueStore {
  const takeNumber = db.prepare<[string], { lastNumber: number }>(
    `INSERT INTO counters (organisation, lastNumber) VALUES (?, 1)
     ON CONFLICT DO UPDATE SET lastNumber = lastNumber + 1 RETURNING lastNumber`,
  );
  const insertIssue = db.prepare<[Omit<IssueRow, 'id'> & Folded], { id: number }>(
    `INSERT INTO issues (${COLUMNS}, foldedTitle, foldedDescription)
     VALUES (NULL, @uuid, @organisation, @number, @title, @description, @severity, @status, @environment,
       @triggeredAt, @createdAt, @updatedAt, @context, @foldedTitle, @foldedDescription)
     RETURNING id`,
  );
  const index = db.prepare<[number, string, string]>(
    'INSERT INTO search (rowid, title, description) VALUES (?, ?, ?)',
  );
  const insertSeed = db.prepare<[SeedRow]>(
    `INSERT INTO seeds VALUES (@publicUuid, @issue, @seedType, @provider, @providerReferenceId, @title,
       @description, @tags, @triggeredAt, @link, @query, @rawPayload)`,
  );
  const byId = db.prepare<[string, string], IssueRow>(
    `SELECT ${COLUMNS} FROM issues WHERE organisation = ? AND uuid = ?`,
  );
  const byNumber = db.prepare<[string, number], IssueRow>(
    `SELECT ${COLUMNS} FROM issues WHERE organisation = ? AND number = ?`,
  );
  const seeds = db.prepare<[string], SeedRow>('SELECT * FROM seeds WHERE issue = ? ORDER BY triggeredAt');
  const setStatus = db.prepare<[Status, number, string]>(
    'UPDATE issues SET status = ?, updatedAt = ? WHERE uuid = ?',
  );
  const remove = db.prepare<[string, string], { number: number }>(
    'DELETE FROM issues WHERE organisation = ? AND uuid = ? RETURNING number',
  );

  const create = db.transaction((organisation: string, issue: NewIssue, now: number): IssueRow => {
    const number = takeNumber.get(organisation)?.lastNumber ?? 1;
    const fields: Omit<IssueRow, 'id'> = {
      uuid: randomUUID(),
      organisation,
      number,
      title: issue.title,
      description: issue.description,
      severity: issue.severity,
      status: 'investigating',
      environment: issue.environment,
      triggeredAt: issue.triggeredAt,
      createdAt: now,
      updatedAt: now,
      context: JSON.stringify(issue.context),
    };
    const folded = { foldedTitle: foldCase(issue.title), foldedDescription: foldCase(issue.description) };
    const id = insertIssue.get({ ...fields, ...folded })?.id ?? 0;
    index.run(id, folded.foldedTitle, folded.foldedDescription);
    const row = { id, ...fields };
    insertSeed.run(seedOf(row, issue));
    return row;
  });

  return {
    create: (organisation, issue, now) => create.immediate(organisation, issue, now),
    byId: (organisation, uuid) => byId.get(organisation, uuid),
    byNumber: (organisation, number) => byNumber.get(organisation, number),
    seeds: (uuid) => seeds.all(uuid),
    setStatus: (uuid, status, now) => {
      setStatus.run(status, now, uuid);
    },
    delete: (organisation, uuid) => remove.get(organisation, uuid)?.number,
  };
}

/** Contract 2.6: a seed is made from the details of the request. */
function seedOf(row: IssueRow, issue: NewIssue): SeedRow {
  const publicUuid = randomUUID();
  return {
    publicUuid,
    issue: row.uuid,
    seedType: 'ALERT',
    provider: 'api',
    providerReferenceId: issue.context.traceId ?? publicUuid,
    title: issue.title,
    description: issue.description,
    tags: JSON.stringify(issue.context.tags ?? []),
    triggeredAt: issue.triggeredAt,
    link: issue.context.alertUrl ?? '',
    query: '',
    rawPayload: row.context,
  };
}

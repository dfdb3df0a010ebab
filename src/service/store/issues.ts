import { randomUUID } from 'node:crypto';
import type { IssueContext, Severity, Status } from '../../contract/schema.ts';
import type { Database } from './database.ts';
import { foldCase } from './fold-case.ts';
import { ISSUE_COLUMNS, type IssueRow, type SeedRow } from './tables.ts';

interface NewIssue {
  /** From `takeNumber`. */
  number: number;
  title: string;
  description: string;
  environment: string;
  severity: Severity;
  triggeredAt: number;
  context: IssueContext;
}

export interface IssueStore {
  /**
   * The organisation's next number. Call it before the transaction that creates the issue: inside, every other creation
   * would wait for the commit. If the creation fails, the number stays unused.
   */
  takeNumber(organisation: string): Promise<number>;
  /** The issue has a seed, but no version yet. */
  create(organisation: string, issue: NewIssue, now: number): Promise<IssueRow>;
  byId(organisation: string, uuid: string): Promise<IssueRow | undefined>;
  /** Like `byId`, but locks the issue until the end of the transaction. */
  lock(organisation: string, uuid: string): Promise<IssueRow | undefined>;
  byNumber(organisation: string, number: number): Promise<IssueRow | undefined>;
  seeds(uuid: string): Promise<SeedRow[]>;
  setStatus(uuid: string, status: Status, now: number): Promise<void>;
  /** With its seeds, versions and artifacts. Returns its number, undefined if it did not exist. */
  delete(organisation: string, uuid: string): Promise<number | undefined>;
}

/** All data of issues, except for their lists (`store/listing.ts`) and versions. */
export function createIssueStore(db: Database): IssueStore {
  const byId = (organisation: string, uuid: string) =>
    db.query
      .selectFrom('issues')
      .select(ISSUE_COLUMNS)
      .where('organisation', '=', organisation)
      .where('uuid', '=', uuid);

  return {
    takeNumber: (organisation) =>
      db.transaction(async ({ query }) => {
        const { lastNumber } = await query
          .insertInto('counters')
          .values({ organisation, lastNumber: 1 })
          .onConflict((conflict) =>
            conflict
              .column('organisation')
              .doUpdateSet((eb) => ({ lastNumber: eb('counters.lastNumber', '+', 1) })),
          )
          .returning('lastNumber')
          .executeTakeFirstOrThrow();
        return lastNumber;
      }),
    create: (organisation, issue, now) =>
      db.transaction(async ({ query, dialect }) => {
        const fields: Omit<IssueRow, 'id'> = {
          uuid: randomUUID(),
          organisation,
          number: issue.number,
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
        const folded = {
          foldedTitle: foldCase(issue.title),
          foldedDescription: foldCase(issue.description),
        };
        // As stored: PostgreSQL text holds any character but U+0000.
        const row = await query
          .insertInto('issues')
          .values({ ...fields, ...folded })
          .returning(ISSUE_COLUMNS)
          .executeTakeFirstOrThrow();
        await dialect.index(query, { id: row.id, ...folded });
        await query.insertInto('seeds').values(seedOf(row, issue)).execute();
        return row;
      }),
    byId: (organisation, uuid) => byId(organisation, uuid).executeTakeFirst(),
    lock: (organisation, uuid) =>
      byId(organisation, uuid)
        .$if(db.dialect.isShared, (q) => q.forUpdate())
        .executeTakeFirst(),
    byNumber: (organisation, number) =>
      db.query
        .selectFrom('issues')
        .select(ISSUE_COLUMNS)
        .where('organisation', '=', organisation)
        .where('number', '=', number)
        .executeTakeFirst(),
    seeds: (uuid) =>
      db.query.selectFrom('seeds').selectAll().where('issue', '=', uuid).orderBy('triggeredAt').execute(),
    setStatus: (uuid, status, now) =>
      db.transaction(async ({ query }) => {
        await query.updateTable('issues').set({ status, updatedAt: now }).where('uuid', '=', uuid).execute();
      }),
    delete: (organisation, uuid) =>
      db.transaction(async ({ query }) => {
        const deleted = await query
          .deleteFrom('issues')
          .where('organisation', '=', organisation)
          .where('uuid', '=', uuid)
          .returning('number')
          .executeTakeFirst();
        return deleted?.number;
      }),
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

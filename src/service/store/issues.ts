import { randomUUID } from 'node:crypto';
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { IssueContext, type Severity, type Status, StoredFindings } from '../../contract/schema.ts';
import type { IssueFilter, IssueLookup, IssueOverview } from '../agent/types.ts';
import type { Conditions, Database, Dialect, ReadIssues } from './database.ts';
import { ISSUE_COLUMNS, type IssueRow, type Query, type SeedRow, type Tables } from './tables.ts';

/**
 * Folds case, including non-ASCII letters, so that folded texts can be compared directly. Folds each character
 * separately: the lower case of a final sigma depends on its neighbors, which a search term does not have. NUL is
 * replaced, because SQLite's text index stops at it.
 */
function foldCase(text: string): string {
  const characters = Array.from(text.normalize('NFC').replaceAll('\0', '\uFFFD'));
  return characters.map((character) => character.toUpperCase().toLowerCase()).join('');
}

/** Reads issues from their own table; looks for `search` (folded) in each that meets the conditions. */
export function readIssues(
  query: Query,
  { contains }: Pick<Dialect, 'contains'>,
  conditions: Conditions,
  search?: string,
): ReadIssues {
  return (beyond, id, limit) =>
    query
      .selectFrom('issues')
      .select(ISSUE_COLUMNS)
      .where(meets(conditions))
      .$if(search !== undefined, (q) => q.where(isFound(contains, search ?? '')))
      .where('issues.id', beyond, id)
      .orderBy('issues.id', beyond === '>' ? 'asc' : 'desc')
      .limit(limit)
      .execute();
}

export function meets({ organization, status, environment }: Conditions): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'issues'>();
  return eb.and([
    eb('issues.organization', '=', organization),
    ...(status === undefined ? [] : [eb('issues.status', '=', status)]),
    ...(environment === undefined ? [] : [eb('issues.environment', '=', environment)]),
  ]);
}

/** Whether the title or the description of an issue contains the text, both folded. */
export function isFound(contains: Dialect['contains'], search: string): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'issues'>();
  return eb.or([
    contains(eb.ref('issues.foldedTitle'), search),
    contains(eb.ref('issues.foldedDescription'), search),
  ]);
}

interface NewIssue {
  /** From `takeNumber`. */
  number: number;
  title: string;
  description: string;
  environment: string;
  severity: Severity;
  triggeredAt: number;
  context: IssueContext;
  /** Not known if it is left out. */
  visibility?: 'public' | 'private' | null;
  agreedModel?: string | null;
}

/** All data of issues, except for their lists (`store/listing.ts`) and versions. */
export function createIssueStore(db: Database) {
  const byId = (organization: string, uuid: string) =>
    db.query
      .selectFrom('issues')
      .select(ISSUE_COLUMNS)
      .where('organization', '=', organization)
      .where('uuid', '=', uuid);

  return {
    /**
     * The organization's next number. Call it before the transaction that creates the issue: inside, every other creation
     * would wait for the commit. If the creation fails, the number stays unused.
     */
    takeNumber: (organization: string): Promise<number> =>
      db.transaction(async ({ query }) => {
        const { lastNumber } = await query
          .insertInto('counters')
          .values({ organization, lastNumber: 1 })
          .onConflict((conflict) =>
            conflict
              .column('organization')
              .doUpdateSet((eb) => ({ lastNumber: eb('counters.lastNumber', '+', 1) })),
          )
          .returning('lastNumber')
          .executeTakeFirstOrThrow();
        return lastNumber;
      }),
    /** The issue has a seed, but no version yet. */
    create: (organization: string, issue: NewIssue, now: number): Promise<IssueRow> =>
      db.transaction(async ({ query, dialect }) => {
        const fields: Omit<IssueRow, 'id'> = {
          uuid: randomUUID(),
          organization,
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
          visibility: issue.visibility ?? null,
          agreedModel: issue.agreedModel ?? null,
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
    byId: (organization: string, uuid: string): Promise<IssueRow | undefined> =>
      byId(organization, uuid).executeTakeFirst(),
    /** Like `byId`, but locks the issue until the end of the transaction. */
    lock: (organization: string, uuid: string): Promise<IssueRow | undefined> =>
      byId(organization, uuid)
        .$if(db.dialect.isShared, (q) => q.forUpdate())
        .executeTakeFirst(),
    byNumber: (organization: string, number: number): Promise<IssueRow | undefined> =>
      db.query
        .selectFrom('issues')
        .select(ISSUE_COLUMNS)
        .where('organization', '=', organization)
        .where('number', '=', number)
        .executeTakeFirst(),
    seeds: (uuid: string): Promise<SeedRow[]> =>
      db.query.selectFrom('seeds').selectAll().where('issue', '=', uuid).orderBy('triggeredAt').execute(),
    setStatus: (uuid: string, status: Status, now: number): Promise<void> =>
      db.transaction(async ({ query }) => {
        await query.updateTable('issues').set({ status, updatedAt: now }).where('uuid', '=', uuid).execute();
      }),
    /** With its seeds, versions and artifacts. Returns its number, undefined if it did not exist. */
    delete: (organization: string, uuid: string): Promise<number | undefined> =>
      db.transaction(async ({ query }) => {
        const deleted = await query
          .deleteFrom('issues')
          .where('organization', '=', organization)
          .where('uuid', '=', uuid)
          .returning('number')
          .executeTakeFirst();
        return deleted?.number;
      }),
  };
}

/** A seed is made from the details of the request. */
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

export interface Filter {
  status?: Status | undefined;
  environment?: string | undefined;
  /** A literal substring of title or description, case-insensitive. */
  search?: string | undefined;
}

interface Page {
  /** Newest first. */
  issues: IssueRow[];
  older: boolean;
  newer: boolean;
}

/** Where a page begins: at the newest issue, or next to the issue with this `id`, which is excluded. */
export type Start = { after: number } | { before: number } | null;

/** Lists issues by id, so new issues do not shift pages. */
export type Listing = (organization: string, filter: Filter, start: Start, limit: number) => Promise<Page>;

export function createListing({ query, dialect }: Database): Listing {
  return async (organization, { status, environment, search }, start, limit) => {
    const conditions = { organization, status, environment };
    const folded = search === undefined ? undefined : foldCase(search);
    // Checking a single issue does not need the text index.
    const one = readIssues(query, dialect, conditions, folded);
    const read: ReadIssues = folded === undefined ? one : await dialect.search(query, conditions, folded);

    // Usually the cursor itself lies beyond the page.
    const any = async (beyond: '<' | '>', beside: IssueRow | undefined, cursor: number) =>
      beside !== undefined &&
      ((await one('=', cursor, 1)).length > 0 || (await read(beyond, beside.id, 1)).length > 0);

    if (start !== null && 'before' in start) {
      const found = await read('>', start.before, limit + 1);
      const issues = found.slice(0, limit).reverse();
      return { issues, newer: found.length > limit, older: await any('<', issues.at(-1), start.before) };
    }
    const found = await read('<', start?.after ?? Number.MAX_SAFE_INTEGER, limit + 1);
    const issues = found.slice(0, limit);
    return {
      issues,
      older: found.length > limit,
      newer: start !== null && (await any('>', issues.at(0), start.after)),
    };
  };
}

type OverviewRow = Omit<IssueOverview, 'remediation'> & { actions: string };

const Titles = z.array(z.string());

/** An answer shows some of them, and the number of the rest. */
const MAX_OVERVIEWS = 200;

/** The agent's access to an organization's issues. */
export function createIssueLookup({ query, dialect }: Database): (organization: string) => IssueLookup {
  const overviews = () =>
    query
      .selectFrom('issues')
      .leftJoin('versions', (join) =>
        join.onRef('versions.issue', '=', 'issues.uuid').on('versions.version', '=', (eb) =>
          eb
            .selectFrom('versions as v')
            .select(({ fn }) => fn.max('v.version').as('newest'))
            .whereRef('v.issue', '=', 'issues.uuid'),
        ),
      )
      .select(['number', 'title', 'issues.status', 'environment', 'severity', 'triggeredAt'])
      .select(['visibility', 'agreedModel'])
      .select([
        dialect.findings.rootCauseSummary.as('rootCauseSummary'),
        dialect.findings.actions.as('actions'),
      ]);

  return (organization) => ({
    byNumber: async (number) => {
      const row = await overviews()
        .select(['issues.description', 'context', 'findings'])
        .where('organization', '=', organization)
        .where('number', '=', number)
        .executeTakeFirst();
      if (!row) return null;
      const { findings, context: stored, description, ...overview } = row;
      const context = IssueContext.parse(JSON.parse(stored));
      return {
        ...issueOf(overview),
        description,
        service: context.service ?? null,
        context,
        findings: findings === null ? null : StoredFindings.parse(JSON.parse(findings)),
      };
    },
    list: async (filter) => {
      const meets = conditionFor(organization, filter);
      const newest = await overviews().where(meets).orderBy('number', 'desc').limit(MAX_OVERVIEWS).execute();
      const { total } = await query
        .selectFrom('issues')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where(meets)
        .executeTakeFirstOrThrow();
      return { total, newest: newest.map(issueOf) };
    },
  });
}

function conditionFor(
  organization: string,
  { status, environment, severity }: IssueFilter,
): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'issues'>();
  return eb.and([
    eb('issues.organization', '=', organization),
    status === 'open' ? eb('issues.status', '<>', 'resolved') : eb('issues.status', '=', status),
    ...(environment === null ? [] : [eb('issues.environment', '=', environment)]),
    ...(severity === null ? [] : [eb(sql<string>`issues.severity`, '=', severity)]),
  ]);
}

function issueOf({ actions, ...brief }: OverviewRow): IssueOverview {
  return { ...brief, remediation: Titles.parse(JSON.parse(actions)) };
}

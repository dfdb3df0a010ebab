import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { IssueFilter, IssueLookup, IssueOverview } from '../agent/types.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

type OverviewRow = Omit<IssueOverview, 'remediation'> & { actions: string };

const Titles = z.array(z.string());

/** An answer shows some of them, and the number of the rest. */
const MAX_OVERVIEWS = 200;

/** The agent's access to an organisation's issues. */
export function createIssueLookup({ query, dialect }: Database): (organisation: string) => IssueLookup {
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
      .select(['number', 'title', 'issues.status', 'environment', 'severity'])
      .select([
        dialect.findings.rootCauseSummary.as('rootCauseSummary'),
        dialect.findings.actions.as('actions'),
      ]);

  return (organisation) => ({
    byNumber: async (number) => {
      const row = await overviews()
        .where('organisation', '=', organisation)
        .where('number', '=', number)
        .executeTakeFirst();
      return row ? issueOf(row) : null;
    },
    list: async (filter) => {
      const meets = conditionFor(organisation, filter);
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
  organisation: string,
  { status, environment, severity }: IssueFilter,
): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'issues'>();
  return eb.and([
    eb('issues.organisation', '=', organisation),
    status === 'open' ? eb('issues.status', '<>', 'resolved') : eb('issues.status', '=', status),
    ...(environment === null ? [] : [eb('issues.environment', '=', environment)]),
    ...(severity === null ? [] : [eb(sql<string>`issues.severity`, '=', severity)]),
  ]);
}

function issueOf({ actions, ...brief }: OverviewRow): IssueOverview {
  return { ...brief, remediation: Titles.parse(JSON.parse(actions)) };
}

import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { Conditions, Dialect, ReadIssues } from './database.ts';
import { ISSUE_COLUMNS, type Query, type Tables } from './tables.ts';

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

export function meets({ organisation, status, environment }: Conditions): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'issues'>();
  return eb.and([
    eb('issues.organisation', '=', organisation),
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

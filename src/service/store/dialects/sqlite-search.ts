import { sql } from 'kysely';
import type { Conditions, Dialect, ReadIssues } from '../database.ts';
import { isFound, meets, readIssues } from '../read-issues.ts';
import { ISSUE_COLUMNS, type Query } from '../tables.ts';
import { INDEXED_LENGTH, phraseFor } from './sqlite-phrase.ts';

/** The text index (FTS5); its rows are issues. */
type SearchTable = {
  search: { rowid: number; title: string; description: string };
};

/** This few issues are faster to scan than to find by the text index, which ignores the other filters. */
const FEW = 200;

/** Finds issues by the text index, if that is worthwhile. */
export async function searchSqlite(
  query: Query,
  { contains }: Pick<Dialect, 'contains'>,
  conditions: Conditions,
  search: string,
): Promise<ReadIssues> {
  if ([...search].length < INDEXED_LENGTH || (await areFew(query, conditions)))
    return readIssues(query, { contains }, conditions, search);
  const phrase = await phraseFor(query, search);
  return (beyond, id, limit) =>
    // A cross join keeps the index outermost: it yields results in order, so that a page ends early.
    query
      .$extendTables<SearchTable>()
      .selectFrom('search')
      .crossJoin('issues')
      .select(ISSUE_COLUMNS)
      .whereRef('issues.id', '=', 'search.rowid')
      .where(sql<boolean>`search MATCH ${phrase}`)
      .where(meets(conditions))
      .where(isFound(contains, search))
      // Numbers are bound as REAL, and the text index seeks by integers only.
      .where('search.rowid', beyond, sql<number>`CAST(${id} AS INTEGER)`)
      .orderBy('search.rowid', beyond === '>' ? 'asc' : 'desc')
      .limit(limit)
      .execute();
}

async function areFew(query: Query, conditions: Conditions): Promise<boolean> {
  const { found } = await query
    .selectFrom((eb) =>
      eb.selectFrom('issues').select('issues.id').where(meets(conditions)).limit(FEW).as('some'),
    )
    .select(({ fn }) => fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow();
  return found < FEW;
}

import type { Connection } from '../database.ts';
import type { IssueRow } from '../entities.ts';
import { fold } from '../fold.ts';
import type { Status } from '../schema/issue.ts';

export interface Filter {
  status?: Status | undefined;
  environment?: string | undefined;
  /** A literal substring of title or description, whatever its case. */
  search?: string | undefined;
}

export interface Page {
  /** Newest first. */
  issues: IssueRow[];
  older: boolean;
  newer: boolean;
}

/** Where a page begins: at the newest, or beside an issue's number, which is not part of it. */
export type Start = { after: number } | { before: number } | null;

/** Lists issues by number, so that a cursor stays where it is while new issues arrive. */
export function createListing(
  db: Connection,
): (organisation: string, filter: Filter, start: Start, limit: number) => Page {
  return (organisation, filter, start, limit) => {
    const parameters = {
      organisation,
      status: filter.status,
      environment: filter.environment,
      search: filter.search === undefined ? undefined : fold(filter.search),
      limit: limit + 1,
    };
    const where = whereOf(filter);
    const rows = (beyond: string, order: 'ASC' | 'DESC', at: number) =>
      db
        .prepare<[typeof parameters & { at: number }], IssueRow>(
          `SELECT * FROM issues WHERE ${where} ${beyond} ORDER BY number ${order} LIMIT @limit`,
        )
        .all({ ...parameters, at });
    const any = (beyond: string, at: number | undefined) =>
      at !== undefined &&
      db
        .prepare<[typeof parameters & { at: number }], unknown>(
          `SELECT 1 FROM issues WHERE ${where} ${beyond} LIMIT 1`,
        )
        .get({ ...parameters, at }) !== undefined;

    if (start !== null && 'before' in start) {
      const found = rows('AND number > @at', 'ASC', start.before);
      const issues = found.slice(0, limit).reverse();
      return { issues, newer: found.length > limit, older: any('AND number < @at', issues.at(-1)?.number) };
    }
    const found = start === null ? rows('', 'DESC', 0) : rows('AND number < @at', 'DESC', start.after);
    const issues = found.slice(0, limit);
    return {
      issues,
      older: found.length > limit,
      newer: start !== null && any('AND number > @at', issues.at(0)?.number),
    };
  };
}

function whereOf(filter: Filter): string {
  return [
    'organisation = @organisation',
    ...(filter.status === undefined ? [] : ['status = @status']),
    ...(filter.environment === undefined ? [] : ['environment = @environment']),
    ...(filter.search === undefined
      ? []
      : ['(instr(foldedTitle, @search) > 0 OR instr(foldedDescription, @search) > 0)']),
  ].join(' AND ');
}

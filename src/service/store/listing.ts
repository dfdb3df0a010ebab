import type { Status } from '../../contract/schema.ts';
import type { Database, ReadIssues } from './database.ts';
import { foldCase } from './fold-case.ts';
import { readIssues } from './read-issues.ts';
import type { IssueRow } from './tables.ts';

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
export type Listing = (organisation: string, filter: Filter, start: Start, limit: number) => Promise<Page>;

export function createListing({ query, dialect }: Database): Listing {
  return async (organisation, { status, environment, search }, start, limit) => {
    const conditions = { organisation, status, environment };
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

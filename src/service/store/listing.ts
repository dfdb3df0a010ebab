import type { Status } from '../schema/issue.ts';
import type { Database, ReadIssues } from './database.ts';
import { foldCase } from './fold-case.ts';
import { readIssues } from './read-issues.ts';
import type { IssueRow } from './tables.ts';

export interface Filter {
  status?: Status | undefined;
  environment?: string | undefined;
  /** A literal substring of title or description, whatever its case. */
  search?: string | undefined;
}

interface Page {
  /** Newest first. */
  issues: IssueRow[];
  older: boolean;
  newer: boolean;
}

/** Where a page begins: at the newest, or beside an issue (by its `id`), which is not part of it. */
export type Start = { after: number } | { before: number } | null;

/** Lists issues by id, which new issues do not move. */
export type Listing = (organisation: string, filter: Filter, start: Start, limit: number) => Promise<Page>;

export function createListing({ query, dialect }: Database): Listing {
  return async (organisation, { status, environment, search }, start, limit) => {
    const conditions = { organisation, status, environment };
    const folded = search === undefined ? undefined : foldCase(search);
    // To look at one issue takes no index of texts.
    const one = readIssues(query, dialect, conditions, folded);
    const read: ReadIssues = folded === undefined ? one : await dialect.search(query, conditions, folded);

    // Mostly the cursor itself is what lies beyond the page.
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

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

/** Where a page begins: at the newest, or beside an issue (by its `id`), which is not part of it. */
export type Start = { after: number } | { before: number } | null;

interface Parameters {
  organisation: string;
  status: string | undefined;
  environment: string | undefined;
  search: string | undefined;
  phrase: string;
  limit: number;
  at: number;
}

/** The tables to read, the column that orders them, and the conditions. */
interface Source {
  from: string;
  key: string;
  where: string[];
}

/** The index holds runs of three characters; a shorter search reads the texts. */
const INDEXED_LENGTH = 3;

/** Lists issues by id, which new issues do not move. */
export function createListing(
  db: Connection,
): (organisation: string, filter: Filter, start: Start, limit: number) => Page {
  return (organisation, filter, start, limit) => {
    const search = filter.search === undefined ? undefined : fold(filter.search);
    const source = sourceOf({ ...filter, search });
    const parameters = {
      organisation,
      status: filter.status,
      environment: filter.environment,
      search,
      phrase: `"${search?.replaceAll('"', '""')}"`,
    };
    const select = (beyond: '<' | '>', at: number, rows: number): IssueRow[] => {
      // A number is bound as REAL, and the index of texts seeks by integers only.
      const where = [...source.where, `${source.key} ${beyond} CAST(@at AS INTEGER)`].join(' AND ');
      const order = beyond === '<' ? 'DESC' : 'ASC';
      return db
        .prepare<[Parameters], IssueRow>(
          `SELECT issues.* FROM ${source.from} WHERE ${where} ORDER BY ${source.key} ${order} LIMIT @limit`,
        )
        .all({ ...parameters, at, limit: rows });
    };
    const any = (beyond: '<' | '>', beside: IssueRow | undefined) =>
      beside !== undefined && select(beyond, beside.id, 1).length > 0;

    if (start !== null && 'before' in start) {
      const found = select('>', start.before, limit + 1);
      const issues = found.slice(0, limit).reverse();
      return { issues, newer: found.length > limit, older: any('<', issues.at(-1)) };
    }
    const found = select('<', start?.after ?? Number.MAX_SAFE_INTEGER, limit + 1);
    const issues = found.slice(0, limit);
    return { issues, older: found.length > limit, newer: start !== null && any('>', issues.at(0)) };
  };
}

function sourceOf({ status, environment, search }: Filter): Source {
  const where = [
    'issues.organisation = @organisation',
    ...(status === undefined ? [] : ['status = @status']),
    ...(environment === undefined ? [] : ['environment = @environment']),
  ];
  if (search === undefined) return { from: 'issues', key: 'issues.id', where };
  if ([...search].length < INDEXED_LENGTH) {
    const found = '(instr(foldedTitle, @search) > 0 OR instr(foldedDescription, @search) > 0)';
    return { from: 'issues', key: 'issues.id', where: [...where, found] };
  }
  // A cross join keeps the index outside: it yields its finds in order, so that a page ends early.
  return {
    from: 'search CROSS JOIN issues ON issues.id = search.rowid',
    key: 'search.rowid',
    where: ['search MATCH @phrase', ...where],
  };
}

import type { Status } from '../schema/issue.ts';
import type { Connection } from './database.ts';
import type { IssueRow } from './entities.ts';
import { foldCase } from './fold-case.ts';
import { createPhrases, INDEXED_LENGTH } from './phrase.ts';

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
  phrase: string | undefined;
}

/** The tables to read, the column that orders them, and the conditions. */
interface Source {
  from: string;
  key: string;
  where: string[];
}

/** So few issues are sooner read than found by the index of texts, which knows nothing of the other filters. */
const FEW = 200;
const CONTAINS = '(instr(foldedTitle, @search) > 0 OR instr(foldedDescription, @search) > 0)';

/** Lists issues by id, which new issues do not move. */
export function createListing(
  db: Connection,
): (organisation: string, filter: Filter, start: Start, limit: number) => Page {
  const phraseFor = createPhrases(db);

  const areFew = (conditions: readonly string[], parameters: Omit<Parameters, 'phrase'>) => {
    const rows = `SELECT 1 FROM issues WHERE ${conditions.join(' AND ')} LIMIT ${FEW}`;
    const counted = db.prepare<[typeof parameters], number>(`SELECT count(*) FROM (${rows})`).pluck();
    return (counted.get(parameters) ?? 0) < FEW;
  };

  return (organisation, filter, start, limit) => {
    const { status, environment } = filter;
    const search = filter.search === undefined ? undefined : foldCase(filter.search);
    const asked = { organisation, status, environment, search };
    const conditions = conditionsFor(filter);
    const indexed =
      search !== undefined && [...search].length >= INDEXED_LENGTH && !areFew(conditions, asked);
    const parameters = { ...asked, phrase: indexed ? phraseFor(search) : undefined };
    const source = indexed ? inTexts(conditions) : inIssues(conditions, search);

    const read = ({ from, key, where }: Source, beyond: '<' | '>' | '=', at: number, rows: number) => {
      // A number is bound as REAL, and the index of texts seeks by integers only.
      const all = [...where, `${key} ${beyond} CAST(@at AS INTEGER)`].join(' AND ');
      const order = beyond === '>' ? 'ASC' : 'DESC';
      return db
        .prepare<[Parameters & { at: number; limit: number }], IssueRow>(
          `SELECT issues.* FROM ${from} WHERE ${all} ORDER BY ${key} ${order} LIMIT @limit`,
        )
        .all({ ...parameters, at, limit: rows });
    };
    const select = (beyond: '<' | '>', at: number, rows: number) => read(source, beyond, at, rows);
    // Mostly the cursor itself is what lies beyond the page; to look at one issue takes no index of texts.
    const any = (beyond: '<' | '>', beside: IssueRow | undefined, cursor: number) =>
      beside !== undefined &&
      (read(inIssues(conditions, search), '=', cursor, 1).length > 0 ||
        select(beyond, beside.id, 1).length > 0);

    if (start !== null && 'before' in start) {
      const found = select('>', start.before, limit + 1);
      const issues = found.slice(0, limit).reverse();
      return { issues, newer: found.length > limit, older: any('<', issues.at(-1), start.before) };
    }
    const found = select('<', start?.after ?? Number.MAX_SAFE_INTEGER, limit + 1);
    const issues = found.slice(0, limit);
    return {
      issues,
      older: found.length > limit,
      newer: start !== null && any('>', issues.at(0), start.after),
    };
  };
}

function conditionsFor({ status, environment }: Filter): string[] {
  return [
    'issues.organisation = @organisation',
    ...(status === undefined ? [] : ['status = @status']),
    ...(environment === undefined ? [] : ['environment = @environment']),
  ];
}

function inIssues(conditions: readonly string[], search: string | undefined): Source {
  const where = [...conditions, ...(search === undefined ? [] : [CONTAINS])];
  return { from: 'issues', key: 'issues.id', where };
}

/** A cross join keeps the index outside: it yields its finds in order, so that a page ends early. */
function inTexts(conditions: readonly string[]): Source {
  return {
    from: 'search CROSS JOIN issues ON issues.id = search.rowid',
    key: 'search.rowid',
    where: ['search MATCH @phrase', ...conditions, CONTAINS],
  };
}

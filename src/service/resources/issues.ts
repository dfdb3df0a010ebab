import type { Http, Request } from '../http.ts';
import { type Cursor, walkPages } from '../paging.ts';
import {
  type IssueCreate,
  IssueCreated,
  IssueDetail,
  IssuePage,
  type IssueStatus,
  type IssueSummary,
} from '../schema/issue.ts';
import { InvestigationResults } from '../schema/results.ts';

/** What `GET /issues` may be asked for (contract 4.1); `limit` is 1 to 100, the service's default is 10. */
interface IssueFilter {
  limit?: number | undefined;
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
  status?: IssueStatus | undefined;
  environment?: string | undefined;
  /** A literal, case-insensitive part of the title or the description. */
  search?: string | undefined;
}

/** Which version of an issue; the latest unless told. */
interface VersionOption {
  version?: number | undefined;
}

/** The issues of the key's organisation. Every method rejects with a `ServiceError`. */
export interface Issues {
  /** Contract 4.2. Sent again only where the service cannot have seen it; see `ServiceError.ambiguous`. */
  create(body: IssueCreate, signal?: AbortSignal): Promise<IssueCreated>;
  /** Contract 4.1: one page. */
  page(filter: IssueFilter, signal?: AbortSignal): Promise<IssuePage>;
  /** Every issue of a list, pages of 100 unless told; from `endingBefore` backwards. */
  list(filter: IssueFilter, signal?: AbortSignal): AsyncIterable<IssueSummary>;
  /** Contract 4.4. */
  get(uuid: string, options?: VersionOption, signal?: AbortSignal): Promise<IssueDetail>;
  /** Contract 4.5: by the number within the organisation. */
  byNumber(number: number, signal?: AbortSignal): Promise<IssueDetail>;
  /** Contract 4.3: sets the status. */
  update(uuid: string, status: IssueStatus, signal?: AbortSignal): Promise<IssueDetail>;
  /** Contract 4.6. */
  results(uuid: string, options?: VersionOption, signal?: AbortSignal): Promise<InvestigationResults>;
  /** Contract 4.7: for good, with all its data. */
  delete(uuid: string, signal?: AbortSignal): Promise<void>;
}

const WALKING_LIMIT = 100;

export function createIssues(http: Http): Issues {
  const page = (filter: IssueFilter, signal?: AbortSignal): Promise<IssuePage> =>
    http.json(
      { operation: 'issues.page', method: 'GET', path: '/issues', query: filterQuery(filter), signal },
      IssuePage,
    );

  return {
    create: (body, signal) =>
      http.json({ operation: 'issues.create', method: 'POST', path: '/issues', body, signal }, IssueCreated),
    page,
    list: ({ startingAfter, endingBefore, ...filter }, signal) =>
      walkPages(cursor(startingAfter, endingBefore), (next) =>
        page({ limit: WALKING_LIMIT, ...filter, ...next }, signal),
      ),
    get: (uuid, options, signal) =>
      http.json(reading('issues.get', issuePath(uuid), options, signal), IssueDetail),
    byNumber: (number, signal) =>
      http.json(reading('issues.byNumber', `/issues/by_number/${number}`, {}, signal), IssueDetail),
    update: (uuid, status, signal) =>
      http.json(
        { operation: 'issues.update', method: 'PATCH', path: issuePath(uuid), body: { status }, signal },
        IssueDetail,
      ),
    results: (uuid, options, signal) =>
      http.json(
        reading('issues.results', `${issuePath(uuid)}/results`, options, signal),
        InvestigationResults,
      ),
    delete: (uuid, signal) =>
      http.gone({ operation: 'issues.delete', method: 'DELETE', path: issuePath(uuid), signal }),
  };
}

function filterQuery(filter: IssueFilter): Request['query'] {
  return [
    ['limit', filter.limit],
    ['startingAfter', filter.startingAfter],
    ['endingBefore', filter.endingBefore],
    ['status', filter.status],
    // The contract asks for at least one character: an empty filter is none.
    ['environment', filter.environment || undefined],
    ['search', filter.search || undefined],
  ];
}

function cursor(startingAfter: string | undefined, endingBefore: string | undefined): Cursor {
  return {
    ...(startingAfter === undefined ? {} : { startingAfter }),
    ...(endingBefore === undefined ? {} : { endingBefore }),
  };
}

function reading(
  operation: string,
  path: string,
  options: VersionOption | undefined,
  signal: AbortSignal | undefined,
): Request {
  return { operation, method: 'GET', path, query: [['version', options?.version]], signal };
}

/** The id is lower-case hexadecimal in a path (contract, section 2). */
function issuePath(uuid: string): string {
  return `/issues/${encodeURIComponent(uuid.toLowerCase())}`;
}

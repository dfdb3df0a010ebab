import {
  IssueAddress,
  IssueByNumber,
  IssueCreate,
  IssueCreated,
  IssueDetail,
  IssueFilter,
  IssuePage,
  type IssueStatus,
  type IssueSummary,
} from '../../schema/issue.ts';
import { InvestigationResults } from '../../schema/results.ts';
import { assertSendable } from '../bounds.ts';
import type { Http, Request } from '../http.ts';
import { type Cursor, walkPages } from '../paging.ts';

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
  /** Contract 4.3: sets the status. `investigating`, which begins a version, is sent again only as `create` is. */
  update(uuid: string, status: IssueStatus, signal?: AbortSignal): Promise<IssueDetail>;
  /** Contract 4.6. */
  results(uuid: string, options?: VersionOption, signal?: AbortSignal): Promise<InvestigationResults>;
  /** Contract 4.7: for good, with all its data. */
  delete(uuid: string, signal?: AbortSignal): Promise<void>;
}

const WALKING_LIMIT = 100;

export function createIssues(http: Http): Issues {
  const page = async (filter: IssueFilter, signal?: AbortSignal): Promise<IssuePage> => {
    const operation = 'issues.page';
    const query = filterQuery(operation, filter);
    return http.json({ operation, method: 'GET', path: '/issues', query, signal }, IssuePage);
  };

  return {
    async create(body, signal) {
      const operation = 'issues.create';
      assertSendable(operation, IssueCreate, body);
      return http.json({ operation, method: 'POST', path: '/issues', body, signal }, IssueCreated);
    },
    page,
    list: ({ startingAfter, endingBefore, ...filter }, signal) =>
      walkPages(cursor(startingAfter, endingBefore), (next) =>
        page({ limit: WALKING_LIMIT, ...filter, ...next }, signal),
      ),
    async get(id, options, signal) {
      const operation = 'issues.get';
      const address = addressOf(operation, id, options);
      return http.json({ operation, method: 'GET', ...address, signal }, IssueDetail);
    },
    async byNumber(number, signal) {
      const operation = 'issues.byNumber';
      assertSendable(operation, IssueByNumber, { number });
      return http.json(
        { operation, method: 'GET', path: `/issues/by_number/${number}`, signal },
        IssueDetail,
      );
    },
    async update(id, status, signal) {
      const operation = 'issues.update';
      const address = addressOf(operation, id);
      // It would begin one more investigation where the one that it began has ended by then.
      const idempotent = status !== 'investigating';
      const request: Request = {
        operation,
        method: 'PATCH',
        ...address,
        body: { status },
        idempotent,
        signal,
      };
      return http.json(request, IssueDetail);
    },
    async results(id, options, signal) {
      const operation = 'issues.results';
      const { path, query } = addressOf(operation, id, options);
      return http.json(
        { operation, method: 'GET', path: `${path}/results`, query, signal },
        InvestigationResults,
      );
    },
    async delete(id, signal) {
      const operation = 'issues.delete';
      return http.gone({ operation, method: 'DELETE', ...addressOf(operation, id), signal });
    },
  };
}

function filterQuery(operation: string, filter: IssueFilter): Request['query'] {
  // The contract asks for at least one character: an empty filter is none.
  const asked = {
    ...filter,
    environment: filter.environment || undefined,
    search: filter.search || undefined,
  };
  assertSendable(operation, IssueFilter, asked);
  return [
    ['limit', asked.limit],
    ['startingAfter', asked.startingAfter],
    ['endingBefore', asked.endingBefore],
    ['status', asked.status],
    ['environment', asked.environment],
    ['search', asked.search],
  ];
}

/** The path of an issue, its id in lower-case hexadecimal (contract, section 2), and the version asked for. */
function addressOf(
  operation: string,
  id: string,
  { version }: VersionOption = {},
): Pick<Request, 'path' | 'query'> {
  assertSendable(operation, IssueAddress, { id, version });
  return { path: `/issues/${encodeURIComponent(id.toLowerCase())}`, query: [['version', version]] };
}

function cursor(startingAfter: string | undefined, endingBefore: string | undefined): Cursor {
  return {
    ...(startingAfter === undefined ? {} : { startingAfter }),
    ...(endingBefore === undefined ? {} : { endingBefore }),
  };
}

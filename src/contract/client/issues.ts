import { z } from 'zod';
import {
  Artifact,
  FactsAnswer,
  InvestigationResults,
  IssueCreated,
  IssueDetail,
  IssuePage,
  type IssueStatus,
  type IssueSummary,
  PredictionAnswer,
} from '../answers.ts';
import { IssueCreate } from '../schema.ts';
import { beyondContract } from './beyond.ts';
import { UnreadableAnswerError } from './errors.ts';
import { assertSendable, type Http, type Request } from './http.ts';
import type { Origin } from './transport.ts';

/** What `GET /issues` may be asked for. A service's ids pass whatever their form. */
const IssueFilter = z.object({
  limit: z.int().min(1).max(100).optional(),
  startingAfter: z.string().min(1).optional(),
  endingBefore: z.string().min(1).optional(),
  status: z.string().optional(),
  /** Matched exactly. */
  environment: z.string().min(1).optional(),
  /** A literal, case-insensitive part of the title or the description. */
  search: z.string().min(1).optional(),
});
export type IssueFilter = Omit<z.infer<typeof IssueFilter>, 'status'> & { status?: IssueStatus | undefined };

const IssueNumber = z.object({ number: z.int().min(1) });
const IssueAddress = z.object({ id: z.string().min(1), version: z.int().min(1).optional() });

/** Which version of an issue; the latest by default. */
interface VersionOption {
  version?: number | undefined;
}

/** The issues of the key's organization. Every method rejects with a `ServiceError`. */
export interface Issues {
  /** Sent again only where the service cannot have seen it; see `ServiceError.ambiguous`. */
  create(body: IssueCreate, signal?: AbortSignal, origin?: Origin): Promise<IssueCreated>;
  page(filter: IssueFilter, signal?: AbortSignal): Promise<IssuePage>;
  /** Every issue of a list, in pages of 100 by default; from `endingBefore` backwards. */
  list(filter: IssueFilter, signal?: AbortSignal): AsyncIterable<IssueSummary>;
  get(uuid: string, options?: VersionOption, signal?: AbortSignal): Promise<IssueDetail>;
  /** By the number within the organization. */
  byNumber(number: number, signal?: AbortSignal): Promise<IssueDetail>;
  /** Sets the status. `investigating`, which begins a version, is sent again only as `create` is. */
  update(uuid: string, status: IssueStatus, signal?: AbortSignal): Promise<IssueDetail>;
  results(uuid: string, options?: VersionOption, signal?: AbortSignal): Promise<InvestigationResults>;
  /**
   * What is wrong or changed, as values, and the verdict's prediction; empty where the service is somebody else's, since
   * the contract has none.
   */
  facts(uuid: string, options?: VersionOption, signal?: AbortSignal): Promise<FactsAnswer>;
  /** What became of the prediction. `since`: when the change was taken back, or the alert was over, if known. */
  prediction(
    uuid: string,
    options: VersionOption & { since?: string | undefined },
    signal?: AbortSignal,
  ): Promise<PredictionAnswer>;
  /** For good, with all its data. */
  delete(uuid: string, signal?: AbortSignal): Promise<void>;
}

const WALKING_LIMIT = 100;

export function createIssues(http: Http): Issues {
  const page: Issues['page'] = async (filter, signal) =>
    http.json({ operation: 'issues.page', path: '/issues', query: filterQuery(filter), signal }, IssuePage);

  return {
    create: async (body, signal, origin) =>
      http.json(
        {
          ...checked('issues.create', IssueCreate, body),
          method: 'POST',
          path: '/issues',
          body,
          origin,
          signal,
        },
        IssueCreated,
      ),
    page,
    list: ({ startingAfter, endingBefore, ...filter }, signal) =>
      walkPages({ startingAfter, endingBefore }, (cursor) =>
        page({ limit: WALKING_LIMIT, ...filter, ...cursor }, signal),
      ),
    get: async (id, options, signal) =>
      http.json({ ...addressed('issues.get', id, options), signal }, IssueDetail),
    byNumber: async (number, signal) =>
      http.json(
        {
          ...checked('issues.byNumber', IssueNumber, { number }),
          path: `/issues/by_number/${number}`,
          signal,
        },
        IssueDetail,
      ),
    update: async (id, status, signal) =>
      http.json(
        {
          ...addressed('issues.update', id),
          method: 'PATCH',
          body: { status },
          // Repeated, it would begin one more investigation where the one that it began has ended by then.
          idempotent: status !== 'investigating',
          signal,
        },
        IssueDetail,
      ),
    results: async (id, options, signal) =>
      http.json({ ...addressed('issues.results', id, options, '/results'), signal }, InvestigationResults),
    facts: (id, options, signal) => {
      const request = { ...addressed('issues.facts', id, options, '/facts'), signal };
      return beyondContract(http, { ask: () => http.json(request, FactsAnswer), none: {}, signal });
    },
    prediction: (id, { since, ...options }, signal) => {
      const { query, ...address } = addressed('issues.prediction', id, options, '/prediction');
      const request = { ...address, query: [...(query ?? []), ['since', since] as const], signal };
      return beyondContract(http, { ask: () => http.json(request, PredictionAnswer), none: {}, signal });
    },
    delete: async (id, signal) => http.gone({ ...addressed('issues.delete', id), method: 'DELETE', signal }),
  };
}

function checked<S extends z.ZodType>(
  operation: string,
  schema: S,
  input: z.input<S>,
): { operation: string } {
  assertSendable(operation, schema, input);
  return { operation };
}

function filterQuery(filter: IssueFilter): Request['query'] {
  // The contract asks for at least one character, so an empty filter is not sent.
  const asked = {
    ...filter,
    environment: filter.environment || undefined,
    search: filter.search || undefined,
  };
  assertSendable('issues.page', IssueFilter, asked);
  return (['limit', 'startingAfter', 'endingBefore', 'status', 'environment', 'search'] as const).map(
    (name) => [name, asked[name]] as const,
  );
}

/** The path of an issue, its id in lower-case hexadecimal, and the version asked for. */
function addressed(
  operation: string,
  id: string,
  { version }: VersionOption = {},
  below = '',
): Pick<Request, 'operation' | 'path' | 'query'> {
  assertSendable(operation, IssueAddress, { id, version });
  const path = `/issues/${encodeURIComponent(id.toLowerCase())}${below}`;
  return { operation, path, query: [['version', version]] };
}

/** Evidence by id. */
export interface Artifacts {
  /**
   * Any number of ids: asked for in batches of 100, each once. The artifacts come in the order of the ids; one that the
   * service does not know is missing. Rejects with a `ServiceError`.
   */
  get(ids: readonly string[], signal?: AbortSignal): Promise<Artifact[]>;
}

const BATCH = 100;

export function createArtifacts(http: Http): Artifacts {
  return {
    async get(ids, signal) {
      const wanted = [...new Set(ids)].filter((id) => id !== '');
      const found = new Map<string, Artifact>();
      for (let start = 0; start < wanted.length; start += BATCH) {
        const query = wanted.slice(start, start + BATCH).map((id) => ['id', id] as const);
        const request = { operation: 'artifacts.get', path: '/artifacts', query, signal };
        for (const artifact of await http.json(request, z.array(Artifact)))
          if (artifact.id !== undefined) found.set(artifact.id, artifact);
      }
      return wanted.map((id) => found.get(id)).filter((artifact) => artifact !== undefined);
    },
  };
}

/** Where a page begins; at most one of the two. */
interface Cursor {
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
}

/**
 * Every issue of a list, page by page. From `endingBefore` it walks backwards, nearest first. Cursors are issue ids, so
 * where a page names none its outermost issue is used. What changes while it walks may be seen twice or not at all.
 * Rejects with `UnreadableAnswerError` where the cursors lead nowhere: following them would never end.
 */
async function* walkPages(
  start: Cursor,
  fetchPage: (cursor: Cursor) => Promise<IssuePage>,
): AsyncGenerator<IssueSummary> {
  const backwards = start.endingBefore !== undefined;
  const seen = new Set<string>();
  let cursor = start;
  while (true) {
    const page = await fetchPage(cursor);
    yield* backwards ? page.data.toReversed() : page.data;
    if (!page.has_more) return;
    const next = backwards ? (page.before ?? page.data[0]?.uuid) : (page.after ?? page.data.at(-1)?.uuid);
    // A page with nothing usable in it, and more of them behind it, would be walked for as long as there are pages.
    if (next === undefined || seen.has(next) || page.data.length === 0) throw stuck(next);
    seen.add(next);
    cursor = backwards ? { endingBefore: next } : { startingAfter: next };
  }
}

function stuck(cursor: string | undefined): UnreadableAnswerError {
  return new UnreadableAnswerError({
    operation: 'issues.page',
    ambiguous: false,
    problem: `the list claims another page, but its cursor (${cursor ?? 'none'}) does not advance`,
    field: 'after',
  });
}

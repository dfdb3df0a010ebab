import type {
  FactsAnswer,
  InvestigationResults,
  IssueDetail,
  IssueSummary,
  PredictionAnswer,
} from '../../src/contract/answers.ts';
import type { ServiceClient } from '../../src/contract/client/client.ts';
import { RejectedError, type ServiceError } from '../../src/contract/client/errors.ts';
import type { ServiceHealth } from '../../src/contract/client/guard.ts';
import type { QueryEvent } from '../../src/contract/client/query.ts';
import type { IssueCreate, QueryRequest, SourcesAnswer } from '../../src/contract/schema.ts';
import { uuidOf } from './issues.ts';

/** What one call does instead of succeeding. */
export interface Failure {
  error: ServiceError | Error;
  /** The effect happens before the call fails. */
  afterEffect?: boolean;
}

type Answering = (request: QueryRequest, signal: AbortSignal | undefined) => AsyncIterable<QueryEvent>;

/** The service in memory: real answers, and whatever failures a test has lined up. */
export interface FakeService {
  client: ServiceClient;
  issues: Map<string, IssueDetail>;
  results: Map<string, InvestigationResults>;
  /** Every call in order: `create`, `search`, `list`, `get 1`, `results 1 v2`, `update 1 muted`. */
  calls: string[];
  /** The next calls that begin with these words fail so, one failure each. */
  fail(call: string, ...failures: Failure[]): void;
  /** From now on every call that begins with these words fails so; `null` mends it. */
  break(call: string, error: ServiceError | Error | null): void;
  /** The next call that begins with these words waits until the answer to this is called, or it is cancelled. */
  hold(call: string): () => void;
  /** The prediction of each verdict, what became of it, and since when that was asked. */
  predictions: { prediction: FactsAnswer['prediction']; answer: PredictionAnswer; asked: (string | null)[] };
  /** How the service stands, where it differs from all being well. */
  health: Partial<ServiceHealth>;
  /** Of each source, whether it answers. */
  sources: SourcesAnswer['sources'];
  questions: QueryRequest[];
  /** One for each question to come. */
  answers: Answering[];
}

/** An error that bears the contract's error body. */
export function rejected(status: number, reason: string, type: string | null = 'invalid_request_error') {
  return new RejectedError({ operation: 'fake', ambiguous: false, status, type, reason, retryAfterMs: null });
}

const allIsWell: ServiceHealth = {
  key: null,
  refused: new Map(),
  working: new Set(),
  filing: null,
  reading: null,
};

export function fakeService(): FakeService {
  const health: Partial<ServiceHealth> = {};
  const sources: FakeService['sources'] = [];
  const predictions: FakeService['predictions'] = { prediction: null, answer: {}, asked: [] };
  const issues = new Map<string, IssueDetail>();
  const results = new Map<string, InvestigationResults>();
  const calls: string[] = [];
  const lined: { call: string; failure: Failure }[] = [];
  const broken = new Map<string, Error>();
  const held: { call: string; released: Promise<void> }[] = [];
  const questions: QueryRequest[] = [];
  const answers: Answering[] = [];

  async function made<T>(call: string, effect: () => T, signal?: AbortSignal): Promise<T> {
    calls.push(call);
    const gate = held.findIndex((h) => call.startsWith(h.call));
    const [hold] = gate < 0 ? [] : held.splice(gate, 1);
    if (hold) await orAborted(hold.released, signal);
    for (const [words, error] of broken) if (call.startsWith(words)) throw error;
    const next = lined.findIndex((l) => call.startsWith(l.call));
    const [line] = next < 0 ? [] : lined.splice(next, 1);
    if (!line) return effect();
    if (line.failure.afterEffect) effect();
    throw line.failure.error;
  }
  const known = (uuid: string): IssueDetail => {
    const issue = issues.get(uuid);
    if (!issue) throw rejected(404, 'no such issue');
    return issue;
  };
  const numberOf = (uuid: string) => issues.get(uuid)?.number ?? '?';
  const listed = (filter: { status?: string | undefined; search?: string | undefined }): IssueSummary[] =>
    [...issues.values()]
      .filter((issue) => !filter.status || issue.status === filter.status)
      .filter((issue) => !filter.search || issue.description?.includes(filter.search))
      .map(summaryOf);

  const client: ServiceClient = {
    health: () => ({ ...allIsWell, ...health }),
    issues: {
      create: (body, signal) => made('create', () => added(issues, body), signal),
      page: (filter, signal) =>
        made('search', () => ({ object: 'list', data: listed(filter), has_more: false }), signal),
      async *list(filter, signal) {
        yield* await made('list', () => listed(filter), signal);
      },
      get: (uuid, _options, signal) => made(`get ${numberOf(uuid)}`, () => known(uuid), signal),
      byNumber: (number, signal) => made(`by number ${number}`, () => known(uuidOf(number)), signal),
      update: (uuid, status, signal) =>
        made(
          `update ${numberOf(uuid)} ${status}`,
          () => {
            const changed = { ...known(uuid), status };
            issues.set(uuid, changed);
            return changed;
          },
          signal,
        ),
      results: (uuid, options, signal) =>
        made(
          `results ${numberOf(uuid)} v${options?.version}`,
          () => {
            const found = results.get(uuid);
            if (!found) throw rejected(404, 'no results');
            return found;
          },
          signal,
        ),
      facts: async () => ({ prediction: predictions.prediction }),
      prediction: async (_uuid, { since }) => {
        predictions.asked.push(since ?? null);
        return predictions.answer;
      },
      delete: (uuid, signal) => made(`delete ${numberOf(uuid)}`, () => void issues.delete(uuid), signal),
    },
    artifacts: { get: async () => [] },
    query: {
      ask: async () => ({}),
      stream: (request, signal) => {
        questions.push(request);
        const answering = answers.shift();
        if (!answering) throw new Error('nothing to answer with');
        return answering(request, signal);
      },
    },
    languageModel: async () => null,
    readTemplate: async () => null,
    trial: async () => null,
    systems: async () => null,
    sources: async () => ({ sources: [...sources] }),
    close: async () => {},
  };
  return {
    client,
    predictions,
    health,
    sources,
    issues,
    results,
    calls,
    fail: (call, ...failures) => lined.push(...failures.map((failure) => ({ call, failure }))),
    break: (call, error) => void (error === null ? broken.delete(call) : broken.set(call, error)),
    hold: (call) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.push({ call, released: promise });
      return resolve;
    },
    questions,
    answers,
  };
}

function added(issues: Map<string, IssueDetail>, body: IssueCreate) {
  const number = issues.size + 1;
  const created = { ...body, uuid: uuidOf(number), number, status: 'investigating', latestVersion: 1 };
  issues.set(created.uuid, created);
  return created;
}

function summaryOf(issue: IssueDetail): IssueSummary {
  return {
    uuid: issue.uuid,
    number: issue.number,
    status: issue.status,
    title: issue.title ?? '',
    description: issue.description ?? '',
    severity: issue.severity ?? 'medium',
    environment: issue.environment ?? 'production',
    triggeredAt: issue.triggeredAt ?? '2026-03-17T12:00:00Z',
    seedCount: issue.seedCount ?? 1,
  };
}

/** As the real client does: a cancelled call ends with an error. */
function orAborted(released: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('cancelled')), { once: true });
    released.then(resolve, reject);
  });
}

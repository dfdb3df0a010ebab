import { randomUUID } from 'node:crypto';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import * as schema from '../../contract/schema.ts';
import type { Clock } from '../../lib/clock.ts';
import { answerQuestion } from '../agent/answer.ts';
import type { Visible } from '../agent/types.ts';
import { plainly, type Asked as Question, Subject } from '../agent/understand.ts';
import { changesAfter, checkPrediction } from '../investigation/prediction.ts';
import type { Runner, TelemetryLimits } from '../investigation/runner.ts';
import { completeArtifact, nothingYet, referTo } from '../investigation/types.ts';
import type { ServiceLog } from '../log.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { Model } from '../model/model.ts';
import { routing } from '../model/routing.ts';
import type { Start } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/store.ts';
import type { IssueRow, TurnRow, VersionRow } from '../store/tables.ts';
import { createBudget, onBudget } from '../telemetry/budget.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import {
  errorBody,
  invalid,
  notFound,
  type RateLimit,
  type ServiceApp,
  type ServiceEnv,
} from './middleware.ts';

/** The routes' dependencies. */
export interface Dependencies {
  store: Store;
  runner: Runner;
  telemetry: TelemetrySource;
  /** The limits for one investigation or answer on the systems that it reads. */
  limits: TelemetryLimits;
  clock: Clock;
  log: ServiceLog;
  metrics: ServiceMetrics;
  /** API keys and their organizations. */
  keys: ReadonlyMap<string, string>;
  /** The language model; `null` if none is configured. */
  model?: Model | null;
  /** The token for pipelines to report changes; `null` disables that. */
  changesToken: string | null;
  /** With which tools sign what they report at `POST /changes/<tool>`, by their names. */
  changesSecrets: ReadonlyMap<string, string>;
  /** Undefined: no limit. */
  rateLimit: RateLimit | undefined;
  /** Aborted when the service closes: streams then finish without pauses. */
  closing: AbortSignal;
}

/** The schema under a name of its own in openapi.json. */
function named<Shape extends z.ZodRawShape>(shared: z.ZodObject<Shape>, name: string) {
  return z.object(shared.shape).openapi(name);
}

const IssueCreate = named(schema.IssueCreate, 'IssueCreate');
const IssueDetail = named(schema.IssueDetail, 'IssueDetail');
const QueryResponse = named(schema.QueryResponse, 'QueryResponse');
const error = { 'application/json': { schema: named(schema.ErrorBody, 'ErrorBody') } };

const FAILURES = {
  400: 'The request is not valid',
  401: 'A valid API key is required',
  403: 'The key may not do this (this service lets every key do everything)',
  404: 'Not found in your organization',
  413: 'The body is larger than 1 MB',
  415: 'The body is not JSON',
  429: 'The key has made too many requests, or its address has tried too many wrong keys',
  500: 'The service failed',
} as const;

function json<Schema extends z.ZodType>(shape: Schema) {
  return { 'application/json': { schema: shape } };
}

function answers<Schema extends z.ZodType>(description: string, shape: Schema, ...more: (404 | 415)[]) {
  return { 200: { description, content: json(shape) }, ...failures(...more) };
}

/** The failures of an operation, besides those that every operation has. */
function failures(...more: (404 | 415)[]) {
  const statuses = [400, 401, 403, ...more, 413, 429, 500] as const;
  return Object.fromEntries(
    statuses.map((status) => [status, { description: FAILURES[status], content: error }]),
  );
}

const listIssues = createRoute({
  method: 'get',
  path: '/issues',
  summary: 'List issues, newest first',
  request: { query: schema.IssueQuery },
  responses: answers('A page of issues', named(schema.IssueList, 'IssueList')),
});

const createIssue = createRoute({
  method: 'post',
  path: '/issues',
  summary: 'Create an issue; its investigation begins',
  request: { body: { content: json(IssueCreate), required: true } },
  responses: {
    201: { description: 'The new issue', content: json(named(schema.IssueCreated, 'IssueCreated')) },
    ...failures(415),
  },
});

const updateIssue = createRoute({
  method: 'patch',
  path: '/issues/{id}',
  summary: 'Set the status of an issue; `investigating` begins its next version',
  request: {
    params: schema.IssuePath,
    body: { content: json(named(schema.IssueUpdate, 'IssueUpdate')), required: true },
  },
  responses: answers('The issue as it is now', IssueDetail, 404, 415),
});

const fetchIssue = createRoute({
  method: 'get',
  path: '/issues/{id}',
  summary: 'Fetch an issue',
  request: { params: schema.IssuePath, query: schema.VersionQuery },
  responses: answers('The issue', IssueDetail, 404),
});

const fetchIssueByNumber = createRoute({
  method: 'get',
  path: '/issues/by_number/{number}',
  summary: 'Fetch an issue by its number in the organization',
  request: { params: schema.IssueNumberPath },
  responses: answers('The issue', IssueDetail, 404),
});

const fetchResults = createRoute({
  method: 'get',
  path: '/issues/{id}/results',
  summary: 'Fetch what an investigation has found so far',
  request: { params: schema.IssuePath, query: schema.VersionQuery },
  responses: answers('The findings', named(schema.InvestigationResults, 'Results'), 404),
});

const deleteIssue = createRoute({
  method: 'delete',
  path: '/issues/{id}',
  summary: 'Delete an issue and everything that belongs to it',
  request: { params: schema.IssuePath },
  responses: { 204: { description: 'Deleted' }, ...failures(404) },
});

const retrieveArtifacts = createRoute({
  method: 'get',
  path: '/artifacts',
  summary: 'Retrieve artifacts by id',
  request: { query: schema.ArtifactsQuery },
  responses: answers('The artifacts that exist', z.array(schema.Artifact)),
});

const ask = createRoute({
  method: 'post',
  path: '/query',
  summary: 'Ask the agent',
  request: { body: { content: json(named(schema.QueryRequest, 'QueryRequest')), required: true } },
  responses: {
    200: {
      description: 'The answer; with `stream`, server-sent events: `delta`, `artifact`, `done`',
      content: { ...json(QueryResponse), 'text/event-stream': { schema: z.string() } },
    },
    ...failures(404, 415),
  },
});

/** Registers every operation of the contract, in the order of its section 4. */
export function registerRoutes(app: ServiceApp, dependencies: Dependencies): void {
  const { store, runner, clock } = dependencies;

  app.openapi(listIssues, async (c) => {
    const { limit = 10, startingAfter, endingBefore, ...filter } = c.req.valid('query');
    const organization = c.get('organization');
    const page = await store.snapshot(async (tx) => {
      const start = await startOf(tx, organization, startingAfter, endingBefore);
      return await tx.list(organization, filter, start, limit);
    });
    const first = page.issues.at(0);
    const last = page.issues.at(-1);
    return c.json(
      {
        object: 'list' as const,
        data: page.issues.map((row) => ({ ...issueFields(row), seedCount: 1 })),
        has_more: startingAfter === undefined && endingBefore !== undefined ? page.newer : page.older,
        ...(page.older && last && { after: last.uuid }),
        ...(page.newer && first && { before: first.uuid }),
      },
      200,
    );
  });

  app.openapi(createIssue, async (c) => {
    const { triggeredAt, context = {}, ...body } = c.req.valid('json');
    const now = clock.now();
    const organization = c.get('organization');
    const issue = {
      ...body,
      number: await store.issues.takeNumber(organization),
      context,
      triggeredAt: triggeredAt === undefined ? now : Date.parse(triggeredAt),
      ...visibleOf(c),
    };
    const { row, version } = await store.transaction(async (tx) => {
      const created = await tx.issues.create(organization, issue, now);
      return { row: created, version: await tx.versions.start(created.uuid, now) };
    });
    runner.wake();
    return c.json({ ...issueFields(row), ...times(row), latestVersion: version.version }, 201);
  });

  // A running investigation is not started twice.
  app.openapi(updateIssue, async (c) => {
    const { id } = c.req.valid('param');
    const { status } = c.req.valid('json');
    const organization = c.get('organization');
    const now = clock.now();
    const { begins, updated } = await store.transaction(async (tx) => {
      if (!(await tx.issues.lock(organization, id))) throw notFound(`The issue ${id}`);
      const isNew =
        status === 'investigating' && (await tx.versions.find(id, undefined))?.status !== 'RUNNING';
      if (isNew) await tx.versions.start(id, now);
      else await tx.issues.setStatus(id, status, now);
      return { begins: isNew, updated: await detail(tx, await issueOf(tx, organization, id)) };
    });
    if (begins) runner.wake();
    return c.json(updated, 200);
  });

  // An issue's fields do not depend on the version; an unknown version is a 404.
  app.openapi(fetchIssue, async (c) => {
    const found = await store.snapshot(async (tx) => {
      const row = await issueOf(tx, c.get('organization'), c.req.valid('param').id);
      await versionOf(tx, row, c.req.valid('query').version);
      return await detail(tx, row);
    });
    return c.json(found, 200);
  });

  app.openapi(fetchIssueByNumber, async (c) => {
    const { number } = c.req.valid('param');
    const found = await store.snapshot(async (tx) => {
      const row = await tx.issues.byNumber(c.get('organization'), number);
      if (!row) throw notFound(`Issue ${number}`);
      return await detail(tx, row);
    });
    return c.json(found, 200);
  });

  app.openapi(fetchResults, async (c) => {
    const row = await issueOf(store, c.get('organization'), c.req.valid('param').id);
    const version = await versionOf(store, row, c.req.valid('query').version);
    const findings =
      version.findings === null
        ? nothingYet(version.uuid)
        : schema.Findings.parse(JSON.parse(version.findings));
    return c.json({ sessionUuid: version.sessionUuid, ...findings }, 200);
  });

  // Also erases what conversations say about the issue.
  app.openapi(deleteIssue, async (c) => {
    const { id } = c.req.valid('param');
    const organization = c.get('organization');
    await store.transaction(async (tx) => {
      const number = await tx.issues.delete(organization, id);
      if (number === undefined) throw notFound(`The issue ${id}`);
      await tx.conversations.forget(organization, number);
      await tx.modelRequests.forget(organization, number);
    });
    return c.body(null, 204);
  });

  // Unknown ids are left out.
  app.openapi(retrieveArtifacts, async (c) =>
    c.json(await store.artifacts.byIds(c.get('organization'), c.req.valid('query').id), 200),
  );

  app.openapi(ask, async (c) => {
    const { question, thread, conversation_id, stream } = c.req.valid('json');
    if (stream && !/\btext\/event-stream\b/iu.test(c.req.header('accept') ?? '')) {
      throw invalid('Streaming requires the header Accept: text/event-stream', {
        stream: 'requires Accept: text/event-stream',
      });
    }
    const asked = await answering(dependencies, c.get('organization'), {
      conversation: conversation_id,
      question,
      asked: thread ?? plainly(question),
      visible: visibleOf(c),
    });
    if (stream) return streamAnswer(c, asked, dependencies);
    for await (const event of asked) if (event.kind === 'answer') return c.json(event.answer, 200);
    throw new Error('a question ended without an answer');
  });
}

type Answering = AsyncGenerator<
  { kind: 'progress'; text: string } | { kind: 'answer'; answer: schema.QueryResponse }
>;

/** Answers a question; the turn is stored before its answer is sent. @throws 404 for an unknown conversation, at once */
async function answering(
  dependencies: Dependencies,
  organization: string,
  asked: Omit<Asked, 'history'>,
): Promise<Answering> {
  const { store } = dependencies;
  const { conversation } = asked;
  const history =
    conversation === undefined ? [] : await store.conversations.history(organization, conversation);
  if (!history) throw notFound(`The conversation ${conversation}`);
  return answerIn(dependencies, organization, { ...asked, history });
}

interface Asked {
  conversation: string | undefined;
  /** As it was sent. */
  question: string;
  asked: Question;
  visible: Visible;
  history: TurnRow[];
}

async function* answerIn(
  { store, telemetry, limits, clock, closing, log, metrics, model }: Dependencies,
  organization: string,
  asked: Asked,
): Answering {
  const { conversation, question, visible, history } = asked;
  const now = clock.now();
  const before = Subject.safeParse(JSON.parse(history.at(-1)?.subject ?? 'null')).data ?? null;
  const context = { now, before, issues: store.briefs(organization) };
  const budget = createBudget(limits, { clock, stop: closing });
  const session = model ? model.begin(closing) : null;
  const said = [...history, visible];
  const route = model && session ? routing(model, session, { organization, said, metrics, log }) : undefined;
  let isAnswered = false;
  try {
    for await (const event of answerQuestion(asked.asked, context, telemetry, {
      id: randomUUID,
      budget,
      route,
    })) {
      if (event.kind === 'progress') {
        yield event;
        continue;
      }
      const { answer, cited: ids } = event.answer;
      const subject = JSON.stringify(event.answer.subject);
      const artifacts = event.answer.artifacts.map((artifact) => completeArtifact(artifact, now));
      const stored = await store.transaction(async (tx) => {
        await tx.artifacts.add(organization, artifacts, clock.now());
        const conversation_id = await tx.conversations.add(
          organization,
          conversation,
          { question, answer, subject, ...visible },
          now,
        );
        const cited = await tx.artifacts.byIds(organization, ids);
        return { conversation_id, answer, artifacts: [...cited, ...artifacts].map(referTo) };
      });
      isAnswered = true;
      yield { kind: 'answer', answer: stored };
    }
  } finally {
    metrics.answered(isAnswered ? 'answered' : 'failed');
    metrics.spent(budget.spent().requests, budget.spent().samples);
    budget.end();
    session?.end();
  }
}

async function startOf(
  store: Aggregates,
  organization: string,
  after?: string,
  before?: string,
): Promise<Start> {
  if (after !== undefined) return { after: await placeOf(store, organization, 'startingAfter', after) };
  if (before !== undefined) return { before: await placeOf(store, organization, 'endingBefore', before) };
  return null;
}

async function placeOf(
  store: Aggregates,
  organization: string,
  field: string,
  cursor: string,
): Promise<number> {
  const row = await store.issues.byId(organization, cursor);
  if (!row)
    throw invalid(`${field} does not match any issue; it may have been deleted`, {
      [field]: 'does not match any issue',
    });
  return row.id;
}

/** What a client says of where a request comes from. */
export function visibleOf(c: Context<ServiceEnv>): Visible {
  return {
    visibility: c.req.header('visibility') === 'private' ? 'private' : 'public',
    agreedModel: c.req.header('agreed-model') ?? null,
  };
}

async function issueOf(store: Aggregates, organization: string, uuid: string): Promise<IssueRow> {
  const row = await store.issues.byId(organization, uuid);
  if (!row) throw notFound(`The issue ${uuid}`);
  return row;
}

/** The issue's version of that number (by default the newest), or a 404. */
async function versionOf(
  store: Aggregates,
  issue: IssueRow,
  number: number | undefined,
): Promise<VersionRow> {
  const version = await store.versions.find(issue.uuid, number);
  if (!version) throw notFound(`Version ${number ?? 1} of issue ${issue.number}`);
  return version;
}

/** What is wrong or changed, according to a version of an issue's investigation: beyond the contract. */
export async function factsOf(
  c: Context<ServiceEnv>,
  { store }: Pick<Dependencies, 'store'>,
): Promise<z.infer<typeof schema.FactsAnswer>> {
  const { id } = schema.IssuePath.parse(c.req.param());
  const { version } = schema.VersionQuery.parse(c.req.query());
  const row = await issueOf(store, c.get('organization'), id);
  const { findings } = await versionOf(store, row, version);
  if (findings === null) return { facts: [], trace: [], prediction: null };
  const { facts, trace, prediction } = schema.StoredFindings.parse(JSON.parse(findings));
  return { facts, trace, prediction };
}

const SinceQuery = schema.VersionQuery.extend({ since: z.iso.datetime().optional() });

/** Whether a version's prediction came true, and what was changed since: beyond the contract. One that did not is ruled out from then on. */
export async function predictionOf(
  c: Context<ServiceEnv>,
  { store, telemetry, limits, clock }: Dependencies,
): Promise<schema.PredictionAnswer> {
  const { id } = schema.IssuePath.parse(c.req.param());
  const { version, since } = SinceQuery.parse(c.req.query());
  const row = await issueOf(store, c.get('organization'), id);
  const { uuid, findings, startedAt } = await versionOf(store, row, version);
  const stored = findings === null ? null : schema.StoredFindings.parse(JSON.parse(findings));
  const none = { since: null, outcome: null, at: null };
  if (stored === null) return none;
  const { prediction } = stored;
  const about = { source: telemetry, foundAt: startedAt, now: clock.now() };
  const all = (await store.versions.of(row.uuid)).filter((one) => one.findings !== null);
  const verdicts = all.map((one) => schema.StoredFindings.parse(JSON.parse(one.findings ?? '{}')));
  const firstAt = Math.min(startedAt, ...all.map((one) => one.startedAt));
  const from = since === undefined ? null : Date.parse(since);
  const answer = await onBudget(limits, { clock }, async (budget) => ({
    ...(prediction === null ? none : await checkPrediction(prediction, { ...about, budget, since: from })),
    changes: await changesAfter(verdicts, { ...about, foundAt: firstAt, budget }),
  }));
  if (answer.outcome === 'did_not') await store.versions.refute(uuid, stored);
  return answer;
}

async function detail(store: Aggregates, row: IssueRow): Promise<schema.IssueDetail> {
  const seeds = await store.issues.seeds(row.uuid);
  const versions = await store.versions.of(row.uuid);
  return {
    ...issueFields(row),
    ...times(row),
    latestVersion: versions.at(-1)?.version ?? 1,
    seedCount: seeds.length,
    seeds: seeds.map(({ issue: _, ...seed }) => ({
      ...seed,
      tags: JSON.parse(seed.tags),
      triggeredAt: timestamp(seed.triggeredAt),
      rawPayload: JSON.parse(seed.rawPayload),
    })),
    versions: versions.map(({ uuid, version, status, description }) => ({
      uuid,
      version,
      status,
      description,
    })),
  };
}

function issueFields(row: IssueRow) {
  const { uuid, number, title, description, severity, status, environment } = row;
  const triggeredAt = timestamp(row.triggeredAt);
  return { uuid, number, title, description, severity, status, environment, triggeredAt };
}

function times(row: IssueRow) {
  return { createdAt: timestamp(row.createdAt), updatedAt: timestamp(row.updatedAt) };
}

function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/**
 * Sends an answer as server-sent events: `progress` (`{"progress": "…"}`, what is being looked at), `delta`
 * (`{"delta": "…"}`, a paragraph each, which together form the answer), `artifact` (`{"artifacts": [one]}`), and finally
 * `done` with the whole answer. What fails on the way is an `error` event.
 */
function streamAnswer(c: Context<ServiceEnv>, asked: Answering, { log }: { log: ServiceLog }): Response {
  return streamSSE(c, async (stream) => {
    const send = (event: string, data: unknown) => stream.writeSSE({ event, data: JSON.stringify(data) });
    try {
      await sendAll(send);
    } catch (error) {
      log.error({ err: error, request_id: c.get('requestId') }, 'a streamed answer was cut short');
      await send('error', errorBody(error, c.get('requestId')));
    }
  });

  async function sendAll(send: (event: string, data: unknown) => Promise<void>): Promise<void> {
    for await (const event of asked) {
      if (event.kind === 'progress') {
        await send('progress', { progress: event.text });
        continue;
      }
      const { answer } = event;
      for (const delta of paragraphsOf(answer.answer))
        await send('delta', { conversation_id: answer.conversation_id, delta });
      for (const artifact of answer.artifacts) await send('artifact', { artifacts: [artifact] });
      await send('done', answer);
    }
  }
}

/** With the line breaks after each, so that they form the answer again. */
function paragraphsOf(answer: string): string[] {
  return answer.match(/[\s\S]+?(?:\n\n+|$)/gu) ?? [];
}

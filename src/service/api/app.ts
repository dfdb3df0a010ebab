import { randomUUID } from 'node:crypto';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import {
  type LanguageModel,
  PROGRAM,
  SERVICE_VERSION,
  type SystemsAnswer,
  TemplateRequest,
} from '../../contract/schema.ts';
import { programVersion } from '../../lib/io.ts';
import { createGuessLimit, type GuessLimit } from '../../lib/mcp-keys.ts';
import { lookUp } from '../agent/answer.ts';
import type { Found, Tool } from '../agent/tool.ts';
import type { Model } from '../model/model.ts';
import { readTemplate } from '../model/read-template.ts';
import { MODEL_USES } from '../model/settings.ts';
import { type Budget, onBudget } from '../telemetry/budget.ts';
import { seenOf } from '../telemetry/seen.ts';
import { createTrials } from '../trial/on-demand.ts';
import { createServiceMcp } from './mcp.ts';
import {
  ApiError,
  authenticate,
  checkVersion,
  invalidFields,
  limitBody,
  limitRate,
  requestId,
  respondWithError,
  type ServiceApp,
  type ServiceEnv,
} from './middleware.ts';
import { createSourceChecks, operations, type SourceChecks } from './operations.ts';
import { reportChange } from './report-change.ts';
import { reportFlag } from './report-flag.ts';
import { type Dependencies, factsOf, predictionOf, registerRoutes, visibleOf } from './routes.ts';

/** The path that every base address ends in. */
export const BASE_PATH = '/api/v2';

/** Paths of the service's description, at its root and below the base path; no key needed. */
const DOCUMENT_PATH = '/openapi.json';

/**
 * The whole service as a request handler.
 *
 * @param options.operations whether `/healthz`, `/readyz` and `/metrics` are served with the API (the default)
 */
export function createApp(
  dependencies: Dependencies,
  options: { operations: boolean } = { operations: true },
): ServiceApp {
  const root = new OpenAPIHono<ServiceEnv>();
  root.use(requestId);
  root.onError((error, c) => {
    const id = c.get('requestId');
    const response = respondWithError(c, error, id);
    if (response.status >= 500) dependencies.log.error({ err: error, request_id: id }, 'a request failed');
    return response;
  });
  root.notFound((c) => {
    throw new ApiError(404, 'invalid_request_error', `No such path: ${c.req.path}`);
  });
  const guesses = createGuessLimit(dependencies.clock);
  const sources = createSourceChecks(dependencies.telemetry, dependencies.clock);
  const api = createApi(dependencies, guesses, sources);
  if (options.operations)
    root.route('/', operations({ ...dependencies, sources, problem: dependencies.store.problem }));
  const { store, changesToken: token, clock, metrics } = dependencies;
  // Of its own: strangers may reach it on the bot's port, from where the bot itself calls the API.
  const ofChanges = createGuessLimit(clock);
  const taking = { changes: store.changes, token, guesses: ofChanges, clock, metrics };
  root.route('/changes', reportChange(taking));
  const services = () => servicesNow(dependencies);
  root.route('/changes', reportFlag({ ...taking, secrets: dependencies.changesSecrets, services }));
  root.get(DOCUMENT_PATH, (c) => c.json(describeApi(api)));
  root.route(BASE_PATH, api);
  const { keys, log } = dependencies;
  const mcp = createServiceMcp(
    {
      api: async (path, init) => root.request(`${BASE_PATH}${path}`, init),
      lookUp: (organization, tool, args) => lookUpFor(dependencies, organization, tool, args),
      now: clock.now,
    },
    { keys, guesses },
    log,
  );
  for (const path of ['/mcp', '/mcp/']) root.all(path, (c) => mcp(c.req.raw, c.env));
  return root;
}

const SOON = { requests: 20, ms: 3_000 };
const HOUR_MS = 3_600_000;

/** The names of the services there are, if that can be read soon: whoever reports a flag does not wait longer. */
async function servicesNow(dependencies: Dependencies): Promise<string[]> {
  const now = dependencies.clock.now();
  const reading = await onCounted({ ...dependencies, limits: SOON }, (budget) =>
    dependencies.telemetry.services({ from: now - HOUR_MS, to: now }, budget),
  );
  return reading.known ? reading.value.map(({ name }) => name) : [];
}

/** Does work on a budget of its own, which the metrics count. */
function onCounted<T>(
  { limits, clock, closing, metrics }: Pick<Dependencies, 'limits' | 'clock' | 'closing' | 'metrics'>,
  work: (budget: Budget) => Promise<T>,
): Promise<T> {
  return onBudget(limits, { clock, stop: closing, onEnd: metrics.spent }, work);
}

function lookUpFor(
  dependencies: Dependencies,
  organization: string,
  tool: Tool,
  args: { services: readonly string[] },
): Promise<Found> {
  const { store, telemetry, clock } = dependencies;
  const context = { now: clock.now(), issues: store.briefs(organization) };
  return onCounted(dependencies, (budget) =>
    lookUp(tool, args, context, telemetry, { id: randomUUID, budget }),
  );
}

function createApi(dependencies: Dependencies, guesses: GuessLimit, sources: SourceChecks): ServiceApp {
  const api = new OpenAPIHono<ServiceEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidFields(result.error.issues);
    },
  });
  api.get(DOCUMENT_PATH, (c) => c.json(describeApi(api)));
  const { keys, rateLimit, clock } = dependencies;
  api.use(authenticate(keys, guesses));
  if (rateLimit) api.use(limitRate(rateLimit, clock));
  api.use(checkVersion, limitBody);
  registerRoutes(api, dependencies);
  // Beyond the contract: the bot says in Slack who reads along, and what is seen.
  api.get('/issues/:id/facts', async (c) => c.json(await factsOf(c, dependencies)));
  api.get('/issues/:id/prediction', async (c) => c.json(await predictionOf(c, dependencies)));
  api.get('/model', async (c) => c.json({ model: await describeModel(dependencies.model ?? null) }));
  api.post('/model/alerts', async (c) => {
    const asked = TemplateRequest.safeParse(await c.req.json().catch(() => null));
    if (!asked.success) throw invalidFields(asked.error.issues);
    const { model = null, closing: stop, log } = dependencies;
    const by = { organization: c.get('organization'), visible: visibleOf(c) };
    return c.json(await readTemplate(asked.data, { model, stop, log, ...by }));
  });
  const trials = createTrials({ ...dependencies, program: programVersion() });
  api.get('/trial', (c) => c.json(trials(TrialQuery.parse(c.req.query()).days)));
  api.get('/systems', async (c) => c.json(await systemsOf(dependencies)));
  api.get('/sources', async (c) =>
    c.json({ sources: (await sources()).map(({ name, ok, summary }) => ({ name, ok, summary })) }),
  );
  refuseOtherMethods(api);
  return api;
}

const TrialQuery = z.object({ days: z.coerce.number().int().min(1).max(90).default(14) });

/** What is seen of each service of the configured sources now. */
function systemsOf(dependencies: Dependencies): Promise<SystemsAnswer> {
  const { telemetry, clock } = dependencies;
  return onCounted(dependencies, (budget) => seenOf(telemetry, clock.now(), budget));
}

async function describeModel(model: Model | null): Promise<LanguageModel | null> {
  if (model === null) return null;
  const { name, host, settings } = model;
  const uses = MODEL_USES.filter((use) => model.uses(use));
  return { name, host, private: settings.private, uses, ...(await model.today()) };
}

/** 405 with `Allow` if the path exists but the method does not. */
function refuseOtherMethods(api: ServiceApp): void {
  const methods = Map.groupBy(
    api.routes.filter(({ method }) => method !== 'ALL'),
    ({ path }) => path,
  );
  for (const [path, routes] of methods) {
    const allowed = [...new Set(routes.map(({ method }) => method))].join(', ');
    api.all(path, (c) => {
      c.header('Allow', allowed);
      throw new ApiError(405, 'invalid_request_error', `${c.req.path} only supports ${allowed}`);
    });
  }
}

type Description = ReturnType<OpenAPIHono['getOpenAPI31Document']>;
type ParameterObject = NonNullable<NonNullable<Description['components']>['parameters']>[string];

const text = { type: 'string' } as const;
const PROGRAM_NAME = { description: 'The program that answers', required: true, schema: text };
const REQUEST_ID = { description: 'Names the request, also in an error body', required: true, schema: text };

/** Headers in answers with this status, besides `X-Request-Id`. */
const HEADERS_OF: Readonly<Record<string, Record<string, object>>> = {
  401: { 'WWW-Authenticate': { required: true, schema: text } },
  429: {
    'Retry-After': {
      description: 'Seconds until the key, or the address, may ask again',
      required: true,
      schema: { type: 'integer', minimum: 1 },
    },
  },
};

const SERVICE_VERSION_PARAMETER = {
  name: 'Service-Version',
  in: 'header',
  required: false,
  description: 'The version that the request is written for; without it, the latest',
  schema: { type: 'string', enum: [SERVICE_VERSION] },
} satisfies ParameterObject;

/**
 * The OpenAPI 3.1 document: every route from its validation schemas, plus what the middleware adds to all of them.
 */
function describeApi(api: ServiceApp): Description {
  const document = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Issue Investigation Service', version: SERVICE_VERSION },
    [PROGRAM.field]: PROGRAM.name,
    servers: [{ url: BASE_PATH }],
    security: [{ apiKey: [] }],
  });
  document.components = {
    ...document.components,
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    parameters: { ServiceVersion: SERVICE_VERSION_PARAMETER },
    headers: { RequestId: REQUEST_ID, Program: PROGRAM_NAME },
  };
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of [path.get, path.post, path.patch, path.delete]) {
      if (!operation) continue;
      operation.parameters = [
        ...(operation.parameters ?? []),
        { $ref: '#/components/parameters/ServiceVersion' },
      ];
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        response.headers = {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          [PROGRAM.header]: { $ref: '#/components/headers/Program' },
          ...HEADERS_OF[status],
        };
      }
    }
  }
  return document;
}

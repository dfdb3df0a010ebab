import { OpenAPIHono } from '@hono/zod-openapi';
import type { Dependencies } from './dependencies.ts';
import type { ServiceApp, ServiceEnv } from './env.ts';
import { ApiError, invalidFields, respondWithError } from './errors.ts';
import { authenticate, checkVersion, limitBody, requestId } from './middleware.ts';
import { describeApi } from './openapi.ts';
import { operations } from './operations.ts';
import { limitRate } from './rate-limit.ts';
import { reportChange } from './report-change.ts';
import { ROUTES } from './routes/index.ts';

/** The path that every base address ends in (contract, section 2). */
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
  const api = createApi(dependencies);
  if (options.operations)
    root.route('/', operations({ ...dependencies, problem: dependencies.store.problem }));
  const { store, changesToken: token, clock, metrics } = dependencies;
  root.route('/changes', reportChange({ changes: store.changes, token, clock, metrics }));
  root.get(DOCUMENT_PATH, (c) => c.json(describeApi(api, BASE_PATH)));
  root.route(BASE_PATH, api);
  return root;
}

function createApi(dependencies: Dependencies): ServiceApp {
  const api = new OpenAPIHono<ServiceEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidFields(result.error.issues);
    },
  });
  api.get(DOCUMENT_PATH, (c) => c.json(describeApi(api, BASE_PATH)));
  const { keys, rateLimit, clock } = dependencies;
  api.use(authenticate(keys));
  if (rateLimit) api.use(limitRate(rateLimit, clock));
  api.use(checkVersion, limitBody);
  for (const register of ROUTES) register(api, dependencies);
  refuseOtherMethods(api);
  return api;
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

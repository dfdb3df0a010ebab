import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, withTimeout } from '../../lib/clock.ts';
import { limitConnections } from '../../lib/connections.ts';
import { OperatorError } from '../../lib/io.ts';
import { type Problem, publicSentences } from '../problems/stored.ts';
import type { Metrics } from '../shared/metrics.ts';

const CLOSE_MS = 2_000;

/** Slow senders are cut off; Slack sends a delivery at once. Milliseconds and bytes. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  /**
   * Longer than load balancers keep idle connections (60 s); otherwise they may reuse one as we close it, and a
   * delivery fails.
   */
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
} satisfies ServerOptions;
/** For all clients together; Slack needs a few dozen. */
const MAX_CONNECTIONS = 2_000;

export interface Listening {
  /** `http://host:port` */
  url: string;
  port: number;
  close(): Promise<void>;
}

/** A port is not available: the message says what to do. */
class ListenError extends OperatorError {
  override name = 'ListenError';
}

/** Addresses that `localhost` reaches. */
const LOCAL = new Set(['0.0.0.0', '127.0.0.1', '::']);

const OURS = new Set(['/healthz', '/readyz', '/metrics']);

/** Serves `/healthz`, `/readyz` and `/metrics`; anything else goes to `rest`. */
export function healthListener(health: Health, metrics: Metrics, rest: RequestListener): RequestListener {
  return (req, res) => {
    const path = pathOf(req);
    if (OURS.has(path) && req.method !== 'GET' && req.method !== 'HEAD') {
      return void res.writeHead(405, { allow: 'GET, HEAD' }).end();
    }
    if (path === '/healthz') return send(res, 200, { status: 'ok' });
    if (path === '/readyz') {
      readiness(health).then(
        (state) => send(res, state.ready ? 200 : 503, state),
        () => send(res, 503, { ready: false, reasons: ['could not run the health checks'], degraded: [] }),
      );
      return;
    }
    if (path === '/metrics') {
      metrics.text().then(
        (text) =>
          res.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
        () => send(res, 500, { error: 'could not collect the metrics' }),
      );
      return;
    }
    rest(req, res);
  };
}

/**
 * Serves `/healthz` and `/readyz` for a load balancer in front of `PORT`, if `METRICS_PORT` has the details: a bare
 * status, without reasons. Anything else goes to `rest`.
 */
function probeListener(health: Health, rest: RequestListener): RequestListener {
  return (req, res) => {
    const path = pathOf(req);
    if (path !== '/healthz' && path !== '/readyz') return rest(req, res);
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      return void res.writeHead(405, { allow: 'GET, HEAD' }).end();
    }
    if (path === '/healthz') return send(res, 200, { status: 'ok' });
    readiness(health).then(
      ({ ready }) => (ready ? send(res, 200, { status: 'ok' }) : send(res, 503, { status: 'unavailable' })),
      () => send(res, 503, { status: 'unavailable' }),
    );
  };
}

/** Answers 404 to whatever nothing else serves. */
export const notFound: RequestListener = (_req, res) => send(res, 404, { error: 'not found' });

/**
 * Serves Slack's requests, webhooks, agents and probes on one port, or metrics and health details on a second one; the first
 * then answers probes with a bare status.
 *
 * @param paths what is served beside webhooks and probes, by its path
 * @param rest serves every other path, also while the bot starts
 */
export async function serve(
  { port, host, metricsPort }: { port: number; host: string; metricsPort: number | null },
  health: Health,
  metrics: Metrics,
  paths: Readonly<Record<string, RequestListener>>,
  webhooks: RequestListener,
  rest: RequestListener = notFound,
): Promise<Listening[]> {
  const slack: RequestListener = (req, res) => {
    const path = pathOf(req);
    const own = Object.hasOwn(paths, path) ? paths[path] : undefined;
    const listener = path.startsWith('/alerts/') ? webhooks : own;
    if (listener === undefined) return rest(req, res);
    // During startup and shutdown, the sender should try again later.
    if (health.phase !== 'running') return void res.writeHead(503, { 'retry-after': '5' }).end();
    listener(req, res);
  };
  if (metricsPort === null) return [await listen(healthListener(health, metrics, slack), port, host)];
  const main = await listen(probeListener(health, slack), port, host);
  try {
    return [main, await listen(healthListener(health, metrics, notFound), metricsPort, host, 'METRICS_PORT')];
  } catch (error) {
    await main.close();
    throw error;
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?')[0] ?? '';
}

/**
 * Serves `listener` on a port (0 takes any free one), which `variable` names.
 *
 * @throws ListenError if the port is taken or not allowed.
 */
export async function listen(
  listener: RequestListener,
  port: number,
  host: string,
  variable: 'PORT' | 'METRICS_PORT' = 'PORT',
  limits: Partial<typeof LIMITS> = {},
): Promise<Listening> {
  const server = createServer({ ...LIMITS, ...limits }, listener);
  limitConnections(server, MAX_CONNECTIONS);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, port, host, variable)));
    server.listen(port, host, resolve);
  });
  const bound = portOf(server);
  const shown = LOCAL.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shown}:${bound}`, port: bound, close: () => close(server) };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function explain(error: NodeJS.ErrnoException, port: number, host: string, variable: string): ListenError {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is already in use. Stop the other program, or set ${variable} to a free port, for example ${variable}=3001.`,
    EACCES: `This user may not listen on port ${port}. Set ${variable} to one above 1023, for example ${variable}=3001.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Set HOST to one that is, for example HOST=0.0.0.0.`,
  };
  const reason = reasons[error.code ?? ''] ?? `Cannot listen on port ${port} of ${host} (${error.message}).`;
  return new ListenError(reason, { cause: error });
}

/** Lets responses in progress finish, then closes what stays open (the page's event streams). */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const onTimeout = () => server.closeAllConnections();
  await withTimeout(closed, { ms: CLOSE_MS, clock: systemClock, onTimeout });
  await closed;
}

function send(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The state of the program. */
export interface Health {
  /** The phase of the process. */
  phase: 'starting' | 'running' | 'stopping';
  /** Checks what only an attempt shows, such as whether the database accepts a write. */
  check: () => Promise<void>;
  /** What does not work. */
  problems: () => readonly Problem[];
}

interface Readiness {
  ready: boolean;
  reasons: string[];
  /** What does not work although deliveries can be taken. */
  degraded: string[];
}

/**
 * Ready means only that deliveries can be taken: a load balancer must not turn Slack away because the investigation
 * service is down.
 */
async function readiness(health: Health): Promise<Readiness> {
  await health.check();
  const problems = health.problems();
  const reasons = [
    ...(health.phase === 'running' ? [] : [`Gumshoe is ${health.phase}`]),
    ...publicSentences(problems.filter(({ stopsDeliveries }) => stopsDeliveries)),
  ];
  const degraded = publicSentences(problems.filter(({ stopsDeliveries }) => !stopsDeliveries));
  return { ready: reasons.length === 0, reasons, degraded };
}

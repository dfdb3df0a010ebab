import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { withTimeout } from '../../lib/abort.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { type Health, readiness } from './health.ts';

const CLOSE_MS = 2_000;

/** Limits on what clients may use, in milliseconds and counts. */
const REQUEST_TIMEOUTS = {
  /** For the headers, and for the body: Slack sends both at once, and a slow sender holds a connection. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  /**
   * Longer than load balancers keep idle connections (60 s); otherwise they may reuse one as we close it, and a
   * delivery fails.
   */
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
} satisfies ServerOptions;
/** A connection is closed after this many requests, so that load is spread again. */
const MAX_REQUESTS_PER_SOCKET = 10_000;
/** For all clients together; Slack needs a few dozen. Beyond this, the oldest idle connection is closed. */
const MAX_CONNECTIONS = 1_500;

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
    const path = (req.url ?? '/').split('?')[0] ?? '';
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
export function probeListener(health: Health, rest: RequestListener): RequestListener {
  return (req, res) => {
    const path = (req.url ?? '/').split('?')[0] ?? '';
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
 * Serves `listener` on a port (0 takes any free one), which `variable` names. Slow clients are cut off.
 *
 * @throws ListenError if the port is taken or not allowed.
 */
export async function listen(
  listener: RequestListener,
  port: number,
  host: string,
  variable: 'PORT' | 'METRICS_PORT' = 'PORT',
  timeouts: Partial<typeof REQUEST_TIMEOUTS> = {},
  mostConnections = MAX_CONNECTIONS,
): Promise<Listening> {
  const server = createServer({ ...REQUEST_TIMEOUTS, ...timeouts }, listener);
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  // In case none of them is idle.
  server.maxConnections = 2 * mostConnections;
  makeWay(server, mostConnections);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, port, host, variable)));
    server.listen(port, host, resolve);
  });
  const bound = portOf(server);
  const shown = LOCAL.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shown}:${bound}`, port: bound, close: () => close(server) };
}

/**
 * Idle connections must not keep others out: if there are too many, closes the oldest that has never sent a request,
 * then the oldest that is idle now.
 */
function makeWay(server: Server, most: number): void {
  const fresh = new Set<Socket>();
  const idle = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    fresh.add(socket);
    socket.once('close', () => {
      open -= 1;
      fresh.delete(socket);
      idle.delete(socket);
    });
    if (open <= most) return;
    const [oldest = [...idle][0]] = fresh;
    if (oldest !== socket) oldest?.destroy();
  });
  server.prependListener('request', ({ socket }, res) => {
    fresh.delete(socket);
    idle.delete(socket);
    res.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
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

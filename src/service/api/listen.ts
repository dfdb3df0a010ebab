import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { type ErrorBody, PROGRAM } from '../../contract/schema.ts';
import { systemClock, withTimeout } from '../../lib/clock.ts';
import { limitConnections } from '../../lib/connections.ts';
import { createRunner } from '../investigation/runner.ts';
import { changeReading } from '../model/read-changes.ts';
import { createApp } from './app.ts';
import { createSourceChecks, operations } from './operations.ts';
import type { Dependencies } from './routes.ts';

/** How long a request may take to finish when the service stops, in milliseconds. */
const STOP_MS = 2000;
/**
 * How long an idle connection stays open, in milliseconds: longer than clients keep theirs, or a slow client's request
 * would meet the closing connection, with unknown outcome.
 */
const KEEP_ALIVE_MS = 65_000;

/** What strangers get who connect and say nothing, or little: anybody who has a key sends a request at once. */
const AGAINST_HALF_OPEN = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
} as const;
const MOST_CONNECTIONS = 1_000;

/** One run of the service, from the first request to the last; its data outlives it. */
export interface Life {
  port: number;
  /** Ends streams and requests, and stops investigations: the next run resumes them. */
  stop(): Promise<void>;
}

/** Listens and investigates. Rejects if the port is unavailable. */
export async function serve(
  options: Omit<Dependencies, 'runner' | 'closing'> & {
    port: number;
    host: string;
    metricsPort: number | null;
  },
): Promise<Life> {
  const { port, host, metricsPort, ...parts } = options;
  const readChanges = parts.model ? changeReading(parts.model, parts.log) : undefined;
  const runner = createRunner({ ...parts, readChanges });
  const closing = new AbortController();
  const app = createApp({ ...parts, runner, closing: closing.signal }, { operations: metricsPort === null });
  // Leave the global Request and Response of the embedding program alone.
  const listener = getRequestListener(app.fetch, {
    hostname: host,
    overrideGlobalObjects: false,
    errorHandler: answerBadRequest,
  });
  const server = createServer(
    { ...AGAINST_HALF_OPEN, requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_MS },
    listener,
  ).on('clientError', answerUnreadable);
  limitConnections(server, MOST_CONNECTIONS);
  server.listen(port, host);
  await once(server, 'listening');
  const probes =
    metricsPort === null ? null : await listenForProbes(parts, { port: metricsPort, host }, server);
  runner.start();

  return {
    port: portOf(server.address()),
    stop: async () => {
      closing.abort();
      const servers = probes === null ? [server] : [server, probes];
      const stopped = Promise.all([...servers.map((one) => once(one, 'close')), runner.stop()]);
      for (const one of servers) one.close();
      const onTimeout = () => {
        for (const one of servers) one.closeAllConnections();
      };
      await withTimeout(stopped, { ms: STOP_MS, clock: systemClock, onTimeout });
      await stopped;
    },
  };
}

/** Serves `/healthz`, `/readyz` and `/metrics` on a separate port. Rejects, with the API closed, if that is taken. */
async function listenForProbes(
  { telemetry, metrics, clock, store }: Pick<Dependencies, 'telemetry' | 'metrics' | 'clock' | 'store'>,
  { port, host }: { port: number; host: string },
  api: Server,
): Promise<Server> {
  const sources = createSourceChecks(telemetry, clock);
  const app = operations({ sources, metrics, problem: store.problem });
  const server = createServer(
    AGAINST_HALF_OPEN,
    getRequestListener(app.fetch, { overrideGlobalObjects: false }),
  );
  limitConnections(server, MOST_CONNECTIONS);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    api.close();
    throw error;
  }
  return server;
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('The service is not listening on a port.');
  return address.port;
}

/** The error body for requests too malformed to reach a route, such as a bad `Host`. */
function answerBadRequest(): Response {
  const body = bodyFor('Malformed HTTP request');
  return Response.json(body, {
    status: 400,
    headers: { 'X-Request-Id': body.request_id, [PROGRAM.header]: PROGRAM.name },
  });
}

/** The same if not even the head of the request was readable; closes the connection. */
function answerUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = STATUS_OF[error.code ?? ''] ?? 400;
  const body = bodyFor(`Malformed HTTP request: ${STATUS_CODES[status]}`);
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${body.request_id}`,
      `${PROGRAM.header}: ${PROGRAM.name}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
}

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function bodyFor(message: string): ErrorBody {
  return { type: 'invalid_request_error', message, request_id: `req_${randomUUID()}` };
}

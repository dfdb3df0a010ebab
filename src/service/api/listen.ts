import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { withTimeout } from '../../lib/abort.ts';
import { systemClock } from '../../lib/clock.ts';
import { createRunner } from '../investigation/runner.ts';
import { createApp } from './app.ts';
import type { Dependencies } from './dependencies.ts';
import { answerBadRequest, answerUnreadable } from './malformed-request.ts';
import { operations } from './operations.ts';

/** How long a request may take to finish when the service stops, in milliseconds. */
const STOP_MS = 2000;
/**
 * How long an idle connection stays open, in milliseconds: longer than clients keep theirs, or a slow client's request
 * would meet the closing connection, with unknown outcome.
 */
const KEEP_ALIVE_MS = 65_000;

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
    investigationMs: number;
  },
): Promise<Life> {
  const { port, host, metricsPort, investigationMs, ...parts } = options;
  const runner = createRunner({ ...parts, durationMs: investigationMs });
  const closing = new AbortController();
  const app = createApp({ ...parts, runner, closing: closing.signal }, { operations: metricsPort === null });
  // Leave the global Request and Response of the embedding program alone.
  const listener = getRequestListener(app.fetch, {
    hostname: host,
    overrideGlobalObjects: false,
    errorHandler: answerBadRequest,
  });
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_MS }, listener).on(
    'clientError',
    answerUnreadable,
  );
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
  const app = operations({ telemetry, metrics, clock, problem: store.problem });
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
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

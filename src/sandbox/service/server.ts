import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import pino from 'pino';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { BASE_PATH, createApp } from './app.ts';
import { answerBadRequest, answerUnreadable } from './bad-http.ts';
import type { ServiceLog } from './log.ts';
import type { RateLimit } from './rate-limit.ts';
import { createRunner } from './runner.ts';
import type { Fault } from './shop/faults.ts';
import { createShop } from './shop/shop.ts';
import { openStore } from './store/store.ts';

/** How long a request may take to end when the service closes, in milliseconds. */
const CLOSE_MS = 2000;

export interface ServiceOptions {
  /** SQLite file; its folder is made where missing. */
  file: string;
  /** API key → the organisation it belongs to. */
  keys: Record<string, string>;
  /** 0 or nothing: any free port. */
  port?: number;
  host?: string;
  /** Of the simulated shop. */
  seed?: number;
  clock?: Clock;
  /** How long an investigation takes, in milliseconds. */
  investigationMs?: number;
  log?: ServiceLog;
  /** For each key; without it there is no limit. */
  rateLimit?: RateLimit;
}

export interface RunningService {
  /** With the path prefix, without a slash at the end: `http://127.0.0.1:4010/api/v2`. */
  url: string;
  /** Makes something go wrong in the shop; it stays so over restarts. */
  inject(fault: Fault): void;
  /** What was injected so far, oldest first. */
  faults(): Fault[];
  /** Ends streams and requests, stops investigations (the next start takes them up), closes the file. */
  close(): Promise<void>;
}

/** Starts the embedded Issue Investigation Service. Rejects where the port or the file cannot be had. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const {
    clock = systemClock,
    host = '127.0.0.1',
    log = pino({ name: 'service', level: 'error' }),
  } = options;
  const store = openStore(options.file);
  const telemetry = createShop({ seed: options.seed ?? 1, injected: store.faults.all });
  const runner = createRunner({ store, telemetry, clock, durationMs: options.investigationMs ?? 6000, log });
  const closing = new AbortController();
  const keys = new Map(Object.entries(options.keys));
  const app = createApp({
    store,
    runner,
    telemetry,
    clock,
    log,
    keys,
    rateLimit: options.rateLimit,
    closing: closing.signal,
  });
  // The program that embeds this keeps its own Request and Response.
  const listener = getRequestListener(app.fetch, {
    hostname: host,
    overrideGlobalObjects: false,
    errorHandler: answerBadRequest,
  });
  const server = createServer({ requireHostHeader: false }, listener).on('clientError', answerUnreadable);

  try {
    server.listen(options.port ?? 0, host);
    await once(server, 'listening');
  } catch (error) {
    store.close();
    throw error;
  }
  runner.resume();

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server.address())}${BASE_PATH}`,
    inject: store.faults.add,
    faults: () => [...store.faults.all()],
    close: async () => {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      const deadline = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
      await Promise.all([closed, runner.stop()]);
      clearTimeout(deadline);
      store.close();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The service listens on no port.');
  return address.port;
}

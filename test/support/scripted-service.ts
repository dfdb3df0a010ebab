import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { patientServer } from './patient-server.ts';

/** What the scripted service does with one request. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as `application/json`, unless the headers say otherwise. */
  json?: unknown;
  /** Sent as it is, with only the headers given. */
  text?: string;
  /** Sent one by one, as events of a stream unless the headers say otherwise. */
  chunks?: Array<string | Uint8Array>;
  /** After all is sent: break the connection, or keep it open for ever. */
  after?: 'reset' | 'hang';
  /** Instead of sending anything. */
  instead?: 'reset' | 'hang';
}

/** One request as it arrived. */
export interface Received {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface ScriptedService {
  /** The base address, with `/api/v2`. */
  url: string;
  received: Received[];
  /** Adds replies, one for each request to come. A request without a reply is answered with 599. */
  script(...replies: Reply[]): void;
  /** Told of each request that is kept open without an answer, once it is there. */
  onHang: () => void;
  close(): Promise<void>;
}

/** A service on a loopback port that answers as it is told, request by request. */
export async function startScriptedService(...replies: Reply[]): Promise<ScriptedService> {
  const queue = [...replies];
  const received: Received[] = [];
  const server = patientServer(async (request, response) => {
    received.push(await record(request));
    const reply = queue.shift() ?? { status: 599, text: 'nothing scripted' };
    await answer(response, reply);
    if (reply.instead === 'hang') service.onHang();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: ScriptedService = {
    url: `http://127.0.0.1:${portOf(server.address())}/api/v2`,
    received,
    onHang: () => undefined,
    script: (...more) => queue.push(...more),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}

/** Below those that the machine hands out by itself: nobody else is given one before it is used. */
const PORTS = { from: 10_000, below: 32_000 };

/** An address on which nothing listens. */
export async function unusedAddress(): Promise<string> {
  return `http://127.0.0.1:${await unusedPort()}/api/v2`;
}

/** A port of this machine on which nothing listens. */
export async function unusedPort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.below);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

async function record(request: IncomingMessage): Promise<Received> {
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: await text(request),
  };
}

async function answer(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.instead === 'hang') return;
  if (reply.instead === 'reset') {
    response.destroy();
    return;
  }
  const type =
    reply.chunks !== undefined ? 'text/event-stream' : reply.json !== undefined ? 'application/json' : null;
  response.writeHead(reply.status ?? 200, {
    ...(type === null ? {} : { 'content-type': type }),
    ...reply.headers,
  });
  for (const chunk of reply.chunks ?? []) await written(response, chunk);
  if (reply.json !== undefined) await written(response, JSON.stringify(reply.json));
  if (reply.text !== undefined) await written(response, reply.text);
  if (reply.after === 'reset') response.destroy();
  else if (reply.after !== 'hang') response.end();
}

/** Resolves once the chunk has left, so that each arrives by itself. */
async function written(response: ServerResponse, chunk: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => response.write(chunk, () => setImmediate(resolve)));
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

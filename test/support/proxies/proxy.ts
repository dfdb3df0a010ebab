import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { patientServer } from '../patient-server.ts';
import { forward, type Request, tunnel } from './forward.ts';

/** A request on its way to the target. */
export interface Exchange {
  request: Request;
  response: ServerResponse;
  /** Passes it on, and the answer back. */
  pass(): Promise<void>;
}

export interface ProxyOptions {
  /** The origin behind it. */
  target: URL;
  /** How its own host is written, where not by its address. */
  host?: string;
  /**
   * Whether addresses of the target in its answers (of its WebSocket, of uploads) become addresses of the proxy, so that
   * nothing goes around it.
   */
  readdresses?: boolean;
  /** What becomes of a request; without it, each passes. */
  handle?: (exchange: Exchange) => Promise<unknown> | unknown;
  /** What becomes of a WebSocket; without it, it passes. */
  upgrade?: (incoming: IncomingMessage, socket: Socket, head: Buffer) => void;
}

/** Stands between the program and one of its neighbors; every fault that a test injects goes through one of these. */
export interface HttpProxy {
  port: number;
  origin: string;
  /** Breaks every connection, also WebSockets. */
  cut(): void;
  /** Takes no connections any more, or again. */
  setUp(isUp: boolean): void;
  /** Nobody listens for so long, in milliseconds. */
  refuse(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function startProxy(options: ProxyOptions): Promise<HttpProxy> {
  const { target, host = '127.0.0.1', handle = ({ pass }) => pass() } = options;
  const sockets = new Set<Socket>();
  const pending = new Set<Promise<unknown>>();
  let port = 0;
  let isUp = true;
  let isClosed = false;
  const readdress = (text: string) =>
    options.readdresses === true ? text.replaceAll(target.host, `${host}:${port}`) : text;

  const server = patientServer((incoming, response) => {
    const work = take(incoming, response).catch(() => response.destroy());
    pending.add(work);
    void work.finally(() => pending.delete(work));
  });

  async function take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request: Request = {
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      headers: incoming.headers,
      body: await buffer(incoming),
    };
    await handle({ request, response, pass: () => forward(request, response, { target, readdress }) });
  }

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  function listen(on: number): Promise<void> {
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(on, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  }

  server.on('connection', (socket: Socket) => {
    if (!isUp) return void socket.destroy();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  server.on(
    'upgrade',
    options.upgrade ??
      ((incoming: IncomingMessage, socket: Socket, head: Buffer) => tunnel(incoming, socket, head, target)),
  );
  await listen(0);
  port = portOf(server.address());
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    cut,
    setUp: (next) => {
      isUp = next;
      if (!isUp) cut();
    },
    refuse: async (ms) => {
      const gone = new Promise((resolve) => server.close(resolve));
      cut();
      await gone;
      await sleep(ms);
      if (!isClosed && !server.listening) await listen(port);
    },
    close: async () => {
      isClosed = true;
      cut();
      await Promise.all(pending);
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

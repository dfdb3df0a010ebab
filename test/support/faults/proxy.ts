import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerFalsely } from './false-answers.ts';
import { forward, type Request, tunnel } from './forward.ts';
import type { Fault } from './kinds.ts';
import type { Plan } from './plan.ts';

/** Stands between the program and one of its neighbours. */
export interface FaultProxy {
  port: number;
  /** Breaks every connection, also WebSockets. */
  cut(): void;
  close(): Promise<void>;
}

export interface FaultProxyOptions {
  /** The neighbour's origin. */
  target: URL;
  /** How the program writes our host. */
  host: string;
  plan: Plan;
  /** Takes the name away for so long, in milliseconds. */
  forget(host: string, ms: number): void;
}

/**
 * Passes everything on, and injects what the plan says. Addresses of the neighbour in its answers (of its WebSocket,
 * of uploads) become addresses of the proxy, so that nothing goes around it.
 */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { target, plan, host } = options;
  const sockets = new Set<Socket>();
  const pending = new Set<Promise<unknown>>();
  const server = createServer((incoming, response) => {
    const work = pass(incoming, response).catch(() => response.destroy());
    pending.add(work);
    void work.finally(() => pending.delete(work));
  });
  let port = 0;
  let closed = false;

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request: Request = {
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      headers: incoming.headers,
      body: await buffer(incoming),
    };
    const fault = plan.next({ isStream: incoming.headers.accept?.includes('text/event-stream') === true });
    const readdress = (text: string) => text.replaceAll(target.host, `${host}:${port}`);
    const how = { target, readdress };
    if (fault === null) return forward(request, response, how);
    await inject(fault, request, response, how);
  }

  async function inject(
    fault: Fault,
    request: Request,
    response: ServerResponse,
    how: Parameters<typeof forward>[2],
  ): Promise<void> {
    switch (fault.kind) {
      case 'latency':
        await sleep(fault.ms);
        return forward(request, response, how);
      case 'reset before the effect':
        return void response.destroy();
      case 'refused connections':
        return refuse(fault.ms);
      case 'unknown host':
        options.forget(host, fault.ms);
        return cut();
      default:
        return answerFalsely(fault, request, response, how);
    }
  }

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  /** Nobody listens for a while. */
  async function refuse(ms: number): Promise<void> {
    const gone = new Promise((resolve) => server.close(resolve));
    cut();
    await gone;
    await sleep(ms);
    if (!closed && !server.listening) await listen(port);
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
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head) =>
    tunnel(incoming, socket, head, target),
  );
  await listen(0);
  port = portOf(server.address());
  return {
    port,
    cut,
    close: async () => {
      closed = true;
      cut();
      await Promise.all(pending);
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

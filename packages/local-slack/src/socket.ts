import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { type Clock, systemClock } from './clock.ts';
import type { Ack, EnvelopeKind, Transport } from './deliver.ts';
import { newHex, newUuid, type Random } from './ids.ts';
import { LIMITS } from './limits.ts';

/** Why Slack ends a connection. `warning` says that it will, some seconds later. */
export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled';

/** The message on the wire; `retry_…` on events only. */
interface Envelope {
  envelope_id: string;
  type: EnvelopeKind;
  payload: object;
  accepts_response_payload: boolean;
  retry_attempt?: number;
  retry_reason?: string;
}

/** One app's open Socket Mode connection. */
interface SocketConnection {
  /** Whether new deliveries should rather go elsewhere. */
  leaving(): boolean;
  /** Sends an envelope and waits for its acknowledgement, as long as Slack does. */
  ask(envelope: Envelope): Promise<Ack>;
  disconnect(reason: DisconnectReason): void;
  /** Breaks off without a word. */
  drop(): void;
  /** Says goodbye, and hangs up after a second without an answer. */
  close(): Promise<void>;
}

const PING_EVERY = 10_000;
const CLOSE_AFTER = 10_000;

const AckFrame = z.object({
  envelope_id: z.string(),
  payload: z.record(z.string(), z.unknown()).optional(),
});

function readAck(data: string): z.infer<typeof AckFrame> | undefined {
  try {
    return AckFrame.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}

interface ConnectionDeps {
  clock: Clock;
  /** Milliseconds to wait for an acknowledgement. */
  ackTimeoutMs: number;
}

/** Takes over an accepted WebSocket: pings it, sends envelopes, hears acknowledgements. */
function createSocketConnection(ws: WebSocket, { clock, ackTimeoutMs }: ConnectionDeps): SocketConnection {
  const waiting = new Map<string, (ack: Ack) => void>();
  const closed = new AbortController();
  let leaving = false;
  let answered = true;

  ws.on('message', (data) => {
    const frame = readAck(data.toString());
    if (!frame) return;
    waiting.get(frame.envelope_id)?.({ ok: true, body: frame.payload });
    waiting.delete(frame.envelope_id);
  });
  ws.on('pong', () => {
    answered = true;
  });
  ws.on('error', () => ws.terminate());
  ws.on('close', () => {
    closed.abort();
    for (const settle of waiting.values()) settle({ ok: false, reason: 'connection_failed' });
    waiting.clear();
  });

  /** Waits on the clock; false once the connection is closed. */
  const pause = (ms: number, signal: AbortSignal = closed.signal, on: Clock = clock): Promise<boolean> =>
    on.sleep(ms, signal).then(
      () => true,
      () => false,
    );

  // Not on the injected clock: the wire is as slow as it is, however fast a test lets time pass.
  const keepAlive = async () => {
    while (await pause(PING_EVERY, closed.signal, systemClock)) {
      if (!answered) return ws.terminate();
      answered = false;
      ws.ping();
    }
  };
  void keepAlive();

  return {
    leaving: () => leaving,
    ask: async (envelope) => {
      const done = new AbortController();
      const answer = new Promise<Ack>((resolve) => {
        waiting.set(envelope.envelope_id, resolve);
      });
      ws.send(JSON.stringify(envelope));
      const late = pause(ackTimeoutMs, done.signal).then((): Ack => ({ ok: false, reason: 'timeout' }));
      const ack = await Promise.race([answer, late]);
      waiting.delete(envelope.envelope_id);
      done.abort();
      return ack;
    },
    disconnect: (reason) => {
      leaving = true;
      ws.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'applink-local' } }));
      if (reason === 'link_disabled') ws.close(1000);
      else void pause(CLOSE_AFTER).then((open) => open && ws.close(1000));
    },
    drop: () => ws.terminate(),
    close: async () => {
      ws.close(1000);
      // Not on the injected clock: a workspace must stop even if that clock does not move.
      const deadline = setTimeout(() => ws.terminate(), 1_000);
      if (!closed.signal.aborted) await once(closed.signal, 'abort');
      clearTimeout(deadline);
    },
  };
}

/** The Socket Mode side of the workspace: every open connection of the app. */
export interface SocketHub extends Transport {
  /** A ticket for one connection, good for 30 seconds. */
  ticket(): string;
  /** An HTTP upgrade at `/link`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends the open connections; how many there were. */
  disconnect(how: DisconnectReason | 'drop'): number;
  close(): Promise<void>;
}

interface HubDeps {
  appId: string;
  clock: Clock;
  random: Random;
  /** Milliseconds to wait for an acknowledgement. */
  ackTimeoutMs: number;
  /** Told when the first connection opens and when the last one closes. */
  onOnline(online: boolean): void;
}

const TICKET_LIFE = 30_000;

export function createSocketHub({ appId, clock, random, ackTimeoutMs, onOnline }: HubDeps): SocketHub {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Map<string, number>();
  const connections = new Set<SocketConnection>();
  let turn = 0;

  const spend = (request: IncomingMessage): boolean => {
    const ticket = new URL(request.url ?? '/', 'http://localhost').searchParams.get('ticket') ?? '';
    const expires = tickets.get(ticket);
    tickets.delete(ticket);
    return expires !== undefined && clock.now() <= expires;
  };

  /** Slack gives each envelope to one connection; one that is about to close gets none while others are open. */
  const pick = (): SocketConnection | undefined => {
    const staying = [...connections].filter((connection) => !connection.leaving());
    const candidates = staying.length > 0 ? staying : [...connections];
    turn += 1;
    return candidates[turn % candidates.length];
  };

  server.on('connection', (ws) => {
    if (connections.size >= LIMITS.socketConnections) {
      ws.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets' }));
      ws.close(1000);
      return;
    }
    const connection = createSocketConnection(ws, { clock, ackTimeoutMs });
    connections.add(connection);
    if (connections.size === 1) onOnline(true);
    ws.on('close', () => {
      connections.delete(connection);
      if (connections.size === 0) onOnline(false);
    });
    const started = new Date(clock.now()).toISOString();
    ws.send(
      JSON.stringify({
        type: 'hello',
        num_connections: connections.size,
        debug_info: { host: 'applink-local', started, build_number: 1, approximate_connection_time: 18_060 },
        connection_info: { app_id: appId },
      }),
    );
  });

  return {
    online: () => connections.size > 0,
    ticket: () => {
      for (const [old, expires] of tickets) if (clock.now() > expires) tickets.delete(old);
      const ticket = newHex(random, 16);
      tickets.set(ticket, clock.now() + TICKET_LIFE);
      return ticket;
    },
    upgrade: (request, socket, head) => {
      if (!spend(request)) {
        socket.on('error', () => socket.destroy());
        socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, (ws) => server.emit('connection', ws, request));
    },
    deliver: async (kind, payload, retry): Promise<Ack> => {
      const connection = pick();
      if (!connection) return { ok: false, reason: 'connection_failed' };
      return connection.ask({
        envelope_id: newUuid(random),
        type: kind,
        payload,
        accepts_response_payload: kind !== 'events_api',
        ...(kind === 'events_api' && {
          retry_attempt: retry?.attempt ?? 0,
          retry_reason: retry?.reason ?? '',
        }),
      });
    },
    disconnect: (how) => {
      const open = [...connections];
      for (const connection of open) {
        if (how === 'drop') connection.drop();
        else connection.disconnect(how);
      }
      return open.length;
    },
    close: async () => {
      await Promise.all([...connections].map((connection) => connection.close()));
      server.close();
    },
  };
}

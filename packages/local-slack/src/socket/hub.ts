import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Clock } from '../clock.ts';
import type { Ack, Transport } from '../deliver/transport.ts';
import { newHex, newUuid, type Random } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { createSocketConnection, type DisconnectReason, type SocketConnection } from './connection.ts';

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

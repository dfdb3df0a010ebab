import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** What is known of an open connection. */
interface Connection {
  address: string;
  /** Requests that are being answered. */
  open: number;
  /** How many requests it has sent. */
  sent: number;
}

/** Connections beyond the limit that may be open until those that make room for them have ended. */
const CLOSING = 256;

/**
 * Keeps a server from being filled by connections that send nothing. Where there are `most`, a new one takes the place of
 * one that is silent: first of those that have never sent a request, then of those that wait for their next; of these, the
 * oldest of the address that has most of them. While all are being answered, a new one is refused.
 */
export function limitConnections(server: Server, most: number): void {
  /** In the order in which they were opened. */
  const connections = new Map<Socket, Connection>();
  server.maxConnections = most + CLOSING;
  server.on('connection', (socket: Socket) => {
    if (connections.size >= most) {
      const silent = silentOf(connections);
      if (silent === null) {
        socket.destroy();
        return;
      }
      connections.delete(silent);
      silent.destroy();
    }
    connections.set(socket, { address: socket.remoteAddress ?? '', open: 0, sent: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (req, res) => {
    const connection = connections.get(req.socket);
    if (connection === undefined) return;
    connection.open += 1;
    connection.sent += 1;
    res.once('close', () => {
      connection.open -= 1;
    });
  });
}

/** The connection that is given up first; `null` if all are being answered. */
function silentOf(connections: ReadonlyMap<Socket, Connection>): Socket | null {
  const idle = [...connections].filter(([, { open }]) => open === 0);
  const never = idle.filter(([, { sent }]) => sent === 0);
  const candidates = never.length > 0 ? never : idle;
  const counts = new Map<string, number>();
  for (const [, { address }] of candidates) counts.set(address, (counts.get(address) ?? 0) + 1);
  let first: Socket | null = null;
  let most = 0;
  for (const [socket, { address }] of candidates) {
    const count = counts.get(address) ?? 0;
    if (count > most) [first, most] = [socket, count];
  }
  return first;
}

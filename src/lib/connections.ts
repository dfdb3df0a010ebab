import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** What is known of an open connection. */
interface Connection {
  address: string;
  /** Requests that are being answered. */
  open: number;
  /** Whether it has sent a request. */
  hasSent: boolean;
}

/**
 * Connections beyond the limit that may be open until those that make room for them have ended. As many are accepted at
 * once as may wait to be (511); a closed one counts until the turn ends.
 */
const CLOSING = 1_024;

/**
 * Keeps a server from being filled by connections that send nothing. Where there are `most`, a new one takes the place of
 * one that is silent: first of those that have never sent a request, then of those that wait for their next; of these, the
 * oldest of the address that has most of them. While all are being answered, a new one is refused. What a connection costs
 * does not grow with their number: thousands may come and go each second.
 */
export function limitConnections(server: Server, most: number): void {
  const connections = new Map<Socket, Connection>();
  const never = createSilent();
  const waiting = createSilent();
  server.maxConnections = most + CLOSING;
  const forget = (socket: Socket) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connections.delete(socket);
    (connection.hasSent ? waiting : never).delete(socket, connection.address);
  };
  server.on('connection', (socket: Socket) => {
    if (connections.size >= most) {
      const silent = never.first() ?? waiting.first();
      if (silent === null) {
        socket.destroy();
        return;
      }
      forget(silent);
      silent.destroy();
    }
    const address = socket.remoteAddress ?? '';
    connections.set(socket, { address, open: 0, hasSent: false });
    never.add(socket, address);
    socket.once('close', () => forget(socket));
  });
  server.prependListener('request', (req, res) => {
    const { socket } = req;
    const connection = connections.get(socket);
    if (connection === undefined) return;
    (connection.hasSent ? waiting : never).delete(socket, connection.address);
    connection.open += 1;
    connection.hasSent = true;
    res.once('close', () => {
      connection.open -= 1;
      if (connection.open === 0 && connections.has(socket)) waiting.add(socket, connection.address);
    });
  });
}

/** Silent connections of one kind. */
interface Silent {
  add(socket: Socket, address: string): void;
  /** Does nothing if it is not one of them. */
  delete(socket: Socket, address: string): void;
  /** The oldest of the address that has most of them; `null` if there are none. */
  first(): Socket | null;
}

function createSilent(): Silent {
  const sockets = new Map<string, Set<Socket>>();
  /** The addresses by how many they have. */
  const having: Set<string>[] = [];
  let most = 0;
  const move = (address: string, from: number, to: number) => {
    having[from]?.delete(address);
    having[to] ??= new Set();
    if (to > 0) having[to].add(address);
    if (to > most) most = to;
    while (most > 0 && having[most]?.size === 0) most -= 1;
  };
  return {
    add: (socket, address) => {
      const own = sockets.get(address) ?? new Set();
      sockets.set(address, own);
      own.add(socket);
      move(address, own.size - 1, own.size);
    },
    delete: (socket, address) => {
      const own = sockets.get(address);
      if (own?.delete(socket) !== true) return;
      move(address, own.size + 1, own.size);
      if (own.size === 0) sockets.delete(address);
    },
    first: () => {
      const [address = ''] = having[most] ?? [];
      const [oldest = null] = sockets.get(address) ?? [];
      return oldest;
    },
  };
}

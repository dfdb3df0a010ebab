import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** What is known of an open connection. */
interface Connection {
  address: string;
  /** Requests that have begun and are not answered yet. */
  open: number;
  /** Of these, the ones whose body is still to come. */
  arriving: number;
  /** Answers that are complete, and that the other side has not taken yet. */
  untaken: number;
  /** Whether a whole request has come from it. */
  hasSent: boolean;
  /** Among which of those that wait for the other side it is; `null` while a request is being answered. */
  among: Silent | null;
}

/**
 * Connections beyond the limit that may be open until those that make room for them have ended. As many are accepted at
 * once as may wait to be (511); a closed one counts until the turn ends.
 */
const CLOSING = 1_024;

/**
 * Keeps a server from being filled by connections from which nothing comes. Where there are `most`, a new one takes the
 * place of one that is waited for: of those that owe a request or the rest of one, or of those that are answered,
 * whichever are more; of these, the oldest of the address that has most of them. So one that has just come, and one whose
 * request is being answered, stay, whatever fills the house. While all are being answered, a new one is refused. What a
 * connection costs does not grow with their number: thousands may come and go each second.
 */
export function limitConnections(server: Server, most: number): void {
  const connections = new Map<Socket, Connection>();
  const owing = createSilent();
  const answered = createSilent();
  server.maxConnections = most + CLOSING;
  const place = (socket: Socket, connection: Connection) => {
    const { open, arriving, untaken, hasSent } = connection;
    const isAnswered = untaken > 0 || (open === 0 && hasSent);
    const among = isAnswered ? answered : open > arriving ? null : owing;
    if (among === connection.among) return;
    connection.among?.delete(socket, connection.address);
    among?.add(socket, connection.address);
    connection.among = among;
  };
  const forget = (socket: Socket) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connections.delete(socket);
    connection.among?.delete(socket, connection.address);
  };
  server.on('connection', (socket: Socket) => {
    if (connections.size >= most) {
      const silent = (owing.size() >= answered.size() ? owing : answered).first();
      if (silent === null) {
        socket.destroy();
        return;
      }
      forget(silent);
      silent.destroy();
    }
    const address = socket.remoteAddress ?? '';
    const connection = { address, open: 0, arriving: 0, untaken: 0, hasSent: false, among: null };
    connections.set(socket, connection);
    place(socket, connection);
    socket.once('close', () => forget(socket));
  });
  server.prependListener('request', (req, res) => {
    const { socket } = req;
    const connection = connections.get(socket);
    if (connection === undefined) return;
    let isArriving = hasBody(req);
    let isUntaken = false;
    const changed = (change: () => void) => () => {
      change();
      if (connections.has(socket)) place(socket, connection);
    };
    const arrived = changed(() => {
      connection.hasSent = true;
      if (isArriving) connection.arriving -= 1;
      isArriving = false;
    });
    changed(() => {
      connection.open += 1;
      connection.hasSent ||= !isArriving;
      if (isArriving) connection.arriving += 1;
    })();
    if (isArriving) req.once('end', arrived);
    res.once(
      'prefinish',
      changed(() => {
        connection.untaken += 1;
        isUntaken = true;
      }),
    );
    res.once(
      'close',
      changed(() => {
        arrived();
        connection.open -= 1;
        if (isUntaken) connection.untaken -= 1;
      }),
    );
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** Connections of one kind from which something is waited for. */
interface Silent {
  add(socket: Socket, address: string): void;
  /** Does nothing if it is not one of them. */
  delete(socket: Socket, address: string): void;
  size(): number;
  /** The oldest of the address that has most of them; `null` if there are none. */
  first(): Socket | null;
}

function createSilent(): Silent {
  const sockets = new Map<string, Set<Socket>>();
  /** The addresses by how many they have. */
  const having: Set<string>[] = [];
  let most = 0;
  let size = 0;
  const move = (address: string, from: number, to: number) => {
    having[from]?.delete(address);
    having[to] ??= new Set();
    if (to > 0) having[to].add(address);
    if (to > most) most = to;
    while (most > 0 && having[most]?.size === 0) most -= 1;
    size += to - from;
  };
  return {
    size: () => size,
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

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** Ways in which a source takes a connection and is of no use. */
export type Stuck =
  | 'never answers'
  | 'trickles its answer'
  | 'sends endless headers'
  | 'closes in the middle';

export interface StuckSource {
  url: string;
  /** So many connections were made. */
  connections(): number;
  close(): Promise<void>;
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
/** A byte comes so often: slower than any answer is, faster than idle connections are given up. */
const EVERY_MS = 20;

/** A server that accepts connections, and then behaves in one of these ways. */
export async function stuckSource(how: Stuck): Promise<StuckSource> {
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    const trickle = (text: string) => {
      timers.add(setInterval(() => void (socket.writable && socket.write(text)), EVERY_MS));
    };
    socket.once('data', () => {
      if (how === 'closes in the middle') socket.end(`${HEAD}Content-Length: 500\r\n\r\n{"status":"succ`);
      if (how === 'sends endless headers') {
        socket.write(HEAD);
        trickle('X-More: y\r\n');
      }
      if (how === 'trickles its answer') {
        socket.write(`${HEAD}Content-Length: 1000000000\r\n\r\n{"status":"success","data":[`);
        trickle('"a",');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

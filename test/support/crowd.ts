import { connect, type Socket } from 'node:net';

/** How a stranger's connection is left so that something is waited for. */
export const CROWDS = {
  'send the head of a request, and no body':
    'POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4000\r\n\r\n',
  'send the head of a request, and some of its body':
    'POST /alerts/grafana HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[[\r\n',
  'send nothing': '',
  'send a whole request, and then nothing': 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n',
} as const;

const AGAIN_MS = 500;
/** As many are on their way at a time as a server accepts at once. */
const AT_ONCE = 200;

export interface Crowd {
  leave(): void;
}

/** Keeps so many connections open to a port; one that is closed comes again. */
export async function crowd(port: number, many: number, words: string): Promise<Crowd> {
  const open = new Set<Socket>();
  let isOver = false;
  const one = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(words);
        resolve();
      });
      open.add(socket);
      socket.resume().on('error', () => undefined);
      socket.on('close', () => {
        resolve();
        open.delete(socket);
        if (isOver) return;
        setTimeout(() => !isOver && void one(), AGAIN_MS);
      });
    });
  for (let n = 0; n < many; n += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, many - n) }, one));
  return {
    leave: () => {
      isOver = true;
      for (const socket of open) socket.destroy();
    },
  };
}

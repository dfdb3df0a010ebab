import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { limitConnections } from '../../src/lib/connections.ts';
import { until } from '../support/until.ts';

const MOST = 50;
/** More than the sockets of both sides take. */
const LARGE = Buffer.alloc(16 * 1024 * 1024);

it.each([
  ['send nothing', ''],
  ['send the beginning of a request', 'GET / HTTP/1.1\r\n'],
  ['send no body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n'],
  ['send no end of their body', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'],
  ['send no further request', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['take no answer', 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n'],
])('connections that %s make room for others', async (_how, words) => {
  const server = createServer((req, res) => {
    req.resume().once('end', () => res.end(req.url === '/large' ? LARGE : 'served'));
  });
  limitConnections(server, MOST);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const silent: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of silent) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const open = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    if (!words.includes('/large')) socket.resume();
    silent.push(socket);
    return new Promise<void>((resolve) => socket.once('connect', () => socket.write(words, () => resolve())));
  };
  for (let n = 0; n < 4 * MOST; n += 1) await open();
  for (let n = 0; n < 20; n += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
    expect(await answer.text()).toBe('served');
    await open();
  }
  for (const socket of silent) socket.resume();
  await until('the others are closed', () => silent.filter(({ closed }) => !closed).length <= MOST);
});

it('a request that is being answered stays, whoever comes', async () => {
  const server = createServer((req, res) => {
    if (req.url !== '/slow') return void res.end('served');
    req.resume().once('end', () => slow.push(() => res.end('slow')));
  });
  const slow: (() => void)[] = [];
  limitConnections(server, MOST);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const answered = fetch(`http://127.0.0.1:${port}/slow`, { method: 'POST', body: 'all of it' });
  await until('it is being answered', () => slow.length === 1);
  for (let n = 0; n < 4 * MOST; n += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  }
  slow[0]?.();
  expect(await (await answered).text()).toBe('slow');
});

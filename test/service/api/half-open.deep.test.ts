import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../support/until.ts';
import { testService } from '../support.ts';

it('does not keep what strangers leave half open, nor more than it can hold, and answers meanwhile', async () => {
  const { service, get } = await testService();
  const { hostname, port } = new URL(service().url);
  const open = new Set<Socket>();
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
  });
  const stranger = async (words: string) => {
    const socket = connect(Number(port), hostname);
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    await once(socket, 'connect');
    socket.resume().write(words);
  };
  const words = [
    '',
    'G',
    'GET /healthz HTTP/1.1\r\nHost: x\r\nX-',
    'POST /changes HTTP/1.1\r\nContent-Length: 9\r\n',
  ];
  for (let i = 0; i < 900; i++) await stranger(words[i % words.length] ?? '');
  expect((await get('/issues')).status).toBe(200);
  for (let i = 0; i < 300; i++) await stranger('');
  await until('those beyond a thousand are closed at once', () => open.size <= 1_000);
  await until('the others within seconds', () => open.size === 0);
  expect((await get('/issues')).status).toBe(200);
});

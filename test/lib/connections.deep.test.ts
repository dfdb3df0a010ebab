import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { limitConnections } from '../../src/lib/connections.ts';
import { until } from '../support/until.ts';

const MOST = 50;

it('connections that send nothing make room for those that do', async () => {
  const server = createServer((_req, res) => res.end('served'));
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
    silent.push(socket);
    return new Promise<void>((resolve) => socket.once('connect', resolve));
  };
  for (let n = 0; n < 4 * MOST; n += 1) await open();
  for (let n = 0; n < 20; n += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
    expect(await answer.text()).toBe('served');
    await open();
  }
  await until('the others are closed', () => silent.filter(({ closed }) => !closed).length <= MOST);
});

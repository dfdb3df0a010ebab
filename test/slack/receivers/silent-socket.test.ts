import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createLogger } from '../../../src/lib/log.ts';
import { createMetrics } from '../../../src/lib/metrics.ts';
import { createSocketReceiver } from '../../../src/slack/receivers/socket.ts';
import { until } from '../../support/until.ts';
import { settableClock } from '../support/settable-clock.ts';

/** A Slack whose sockets do what the test says, in turn. */
async function slackOf(...behaviours: ((socket: WebSocket) => void)[]) {
  const sockets: WebSocket[] = [];
  const server = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ ok: true, url: `ws://127.0.0.1:${port}/link` }));
  });
  const hub = new WebSocketServer({ server });
  hub.on('connection', (socket) => {
    sockets.push(socket);
    behaviours.shift()?.(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on a port, so neither a path nor null
  const clock = settableClock();
  const states: boolean[] = [];
  const receiver = createSocketReceiver({
    appToken: 'xapp-1-test',
    apiUrl: `http://127.0.0.1:${port}/api/`,
    inbox: { accept: async () => undefined, start: () => undefined, stop: async () => undefined },
    clock,
    random: () => 1,
    log: createLogger('silent'),
    metrics: createMetrics(),
    signal: new AbortController().signal,
    onConnected: (connected) => void states.push(connected),
    onTerminal: () => undefined,
  });
  onTestFinished(async () => {
    await receiver.stop();
    for (const socket of sockets) socket.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { receiver, clock, sockets, states };
}

const says = (message: object) => (socket: WebSocket) => socket.send(JSON.stringify(message));
const hello = says({ type: 'hello', num_connections: 1 });

it('a socket that opens and never says hello is given up after 30 seconds, for another one', async () => {
  const { receiver, clock, sockets, states } = await slackOf(() => undefined, hello);
  const started = receiver.start();
  await until('the first socket is open', () => sockets.length === 1);
  clock.move(29_999);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sockets).toHaveLength(1);
  clock.move(1);
  await until('it waits before its next try', () => clock.sleeping() === 1);
  clock.move(500);
  await started;
  expect(sockets).toHaveLength(2);
  expect(states.at(-1)).toBe(true);
});

it('a socket that Slack refuses because there are too many is asked for again', async () => {
  const full = says({ type: 'disconnect', reason: 'too_many_websockets' });
  const { receiver, clock, sockets, states } = await slackOf(full, hello);
  const started = receiver.start();
  await until('it waits before its next try', () => sockets.length === 1 && states.includes(false));
  await until('only that wait is left', () => clock.sleeping() === 1);
  clock.move(500);
  await started;
  expect(sockets).toHaveLength(2);
  expect(states).toEqual([false, true]);
});

it('a socket that breaks at once after its hello is replaced', async () => {
  const { receiver, sockets, states } = await slackOf((socket) => {
    hello(socket);
    socket.terminate();
  }, hello);
  await receiver.start();
  await until('it is connected again', () => sockets.length === 2 && states.at(-1) === true);
});

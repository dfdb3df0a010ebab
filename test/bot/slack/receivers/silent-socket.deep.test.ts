import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../../src/bot/shared/metrics.ts';
import { createSocketReceiver } from '../../../../src/bot/slack/receivers/socket.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { until } from '../../../support/until.ts';

/** A Slack whose sockets do what the test says, in turn. */
async function slackOf(...behaviours: ((socket: WebSocket) => void)[]) {
  const sockets: WebSocket[] = [];
  const asked: number[] = [];
  let refusals = 0;
  let isHeldUp: Promise<void> = Promise.resolve();
  const server = createServer(async (_req, res) => {
    asked.push(clock.now());
    await isHeldUp;
    refusals -= 1;
    if (refusals >= 0) return void res.writeHead(500).end();
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ ok: true, url: `ws://127.0.0.1:${port}/link` }));
  });
  const hub = new WebSocketServer({ noServer: true });
  let silent = 0;
  const taken: Duplex[] = [];
  server.on('upgrade', (request, connection, head) => {
    if (taken.length < silent) return void taken.push(connection);
    hub.handleUpgrade(request, connection, head, (socket) => {
      sockets.push(socket);
      behaviours.shift()?.(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on a port, so neither a path nor null
  const clock = manualClock();
  const states: boolean[] = [];
  const failures: string[] = [];
  const receiver = createSocketReceiver({
    appToken: 'xapp-1-test',
    apiUrl: `http://127.0.0.1:${port}/api/`,
    inbox: {
      accept: async () => undefined,
      degraded: () => null,
      start: () => undefined,
      stop: async () => undefined,
    },
    clock,
    random: () => 1,
    log: createLogger('silent'),
    metrics: createMetrics(),
    signal: new AbortController().signal,
    onConnected: (connected) => void states.push(connected),
    onFailure: (reason) => void failures.push(reason),
    onTerminal: () => undefined,
    canStore: null,
  });
  onTestFinished(async () => {
    await receiver.stop();
    for (const socket of sockets) socket.terminate();
    for (const connection of taken) connection.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const refuse = (times: number) => {
    refusals = times;
  };
  /** Gives no address until the function that it returns is called. */
  const holdUp = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    isHeldUp = promise;
    return resolve;
  };
  /** Takes so many connections without a word; answers how many it has taken. */
  const takeSilently = (times: number) => {
    silent = times;
    return () => taken.length;
  };
  return { receiver, clock, sockets, states, failures, asked, refuse, holdUp, takeSilently };
}

const says = (message: object) => (socket: WebSocket) => socket.send(JSON.stringify(message));
const hello = says({ type: 'hello', num_connections: 1 });

it('a socket that opens and never says hello is given up after 30 seconds, for another one', async () => {
  const { receiver, clock, sockets, states } = await slackOf(() => undefined, hello);
  const started = receiver.start();
  await until('the first socket is open', () => sockets.length === 1);
  clock.advance(29_999);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sockets).toHaveLength(1);
  clock.advance(1);
  await until('it waits before its next try', () => clock.sleeping() === 1);
  clock.advance(500);
  await started;
  expect(sockets).toHaveLength(2);
  expect(states.at(-1)).toBe(true);
});

it('a socket whose address comes after it was given up is closed, and another one is opened', async () => {
  const { receiver, clock, sockets, states, asked, holdUp } = await slackOf(hello, hello);
  const letGo = holdUp();
  const started = receiver.start();
  await until('an address is asked for', () => asked.length === 1);
  clock.advance(30_000);
  await until('it waits before its next try', () => states.at(-1) === false && clock.sleeping() === 1);
  clock.advance(500);
  await until('another address is asked for', () => asked.length === 2);
  letGo();
  await started;
  await until('the first is closed', () => sockets.some((socket) => socket.readyState === socket.CLOSED));
  expect(sockets.map((socket) => socket.readyState === socket.OPEN)).toContain(true);
  expect(sockets).toHaveLength(2);
  expect(states).toEqual([false, true]);
});

it('a Slack that takes connections and says nothing on them is asked for another one after 30 seconds', async () => {
  const { receiver, clock, sockets, states, failures, asked, takeSilently } = await slackOf(hello);
  const taken = takeSilently(2);
  const started = receiver.start();
  for (const [times, wait] of [500, 1_000].entries()) {
    await until('a connection is taken', () => taken() === times + 1 && clock.sleeping() === 1);
    clock.advance(30_000);
    await until(
      'it waits before its next try',
      () => failures.length === times + 1 && clock.sleeping() === 1,
    );
    clock.advance(wait);
  }
  await started;
  expect(asked).toHaveLength(3);
  expect(sockets).toHaveLength(1);
  expect(states.at(-1)).toBe(true);
  expect(new Set(failures)).toEqual(new Set(['Slack does not respond on a new connection']));
});

it('a socket that Slack refuses because there are too many is asked for again', async () => {
  const full = says({ type: 'disconnect', reason: 'too_many_websockets' });
  const { receiver, clock, sockets, states, failures } = await slackOf(full, full, full, hello);
  const started = receiver.start();
  for (const [times, wait] of [500, 1_000, 2_000].entries()) {
    // Slack's word, and that the try has failed: what sleeps then is the wait before the next.
    const isOver = () => failures.length === 2 * (times + 1) && clock.sleeping() === 1;
    await until('it waits before its next try', isOver);
    clock.advance(wait - 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sockets).toHaveLength(times + 1);
    clock.advance(1);
  }
  await started;
  expect(sockets).toHaveLength(4);
  expect(states).toEqual([false, false, false, true]);
  expect(new Set(failures)).toEqual(
    new Set([
      'all ten connections that Slack allows an app are open: waiting for a free one. Is another copy running with this token? (too_many_websockets)',
    ]),
  );
});

it('a socket that breaks at once after its hello is replaced', async () => {
  const { receiver, sockets, states } = await slackOf((socket) => {
    hello(socket);
    socket.terminate();
  }, hello);
  await receiver.start();
  await until('it is connected again', () => sockets.length === 2 && states.at(-1) === true);
});

it('sockets that each break at once after their hello are asked for ever more seldom', async () => {
  const breaks = (socket: WebSocket) => {
    hello(socket);
    socket.terminate();
  };
  const { receiver, clock, sockets, states } = await slackOf(breaks, breaks, breaks, breaks, hello);
  await receiver.start();
  await until('three came at once', () => states.length === 6 && clock.sleeping() === 1);
  clock.advance(499);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sockets).toHaveLength(3);
  clock.advance(1);
  await until('the fourth is waited for', () => states.length === 8 && clock.sleeping() === 1);
  clock.advance(999);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sockets).toHaveLength(4);
  clock.advance(1);
  await until('the fifth stays', () => sockets.length === 5 && states.at(-1) === true);
});

it('a socket that falls silent is replaced, although nobody has closed it', async () => {
  // Slack pings; the client expects an answer to its own pings within five seconds.
  const falls = (socket: WebSocket) => {
    hello(socket);
    socket.pause();
  };
  const { receiver, sockets, states } = await slackOf(falls, hello);
  await receiver.start();
  await until('it is connected again', () => sockets.length === 2 && states.at(-1) === true);
  expect(states).toEqual([true, false, true]);
});

it('Slack that answers 500 for a quarter of an hour is asked on, twice a minute, and has us back then', async () => {
  const { receiver, clock, sockets, states, failures, asked, refuse } = await slackOf(hello, hello);
  await receiver.start();
  const began = clock.now();
  refuse(36);
  clock.advance(60_000);
  sockets[0]?.terminate();
  for (let times = 1; times <= 36; times += 1) {
    // The first of them is that the connection broke off.
    await until(
      'it waits before its next try',
      () => failures.length === times + 1 && clock.sleeping() === 1,
    );
    clock.advance(Math.min(500 * 2 ** (times - 1), 30_000));
  }
  await until('it is back', () => sockets.length === 2 && states.at(-1) === true);
  expect(asked).toHaveLength(38);
  expect(clock.now() - began).toBeGreaterThan(15 * 60_000);
  const waits = asked.slice(2).map((at, n) => at - (asked[n + 1] ?? 0));
  expect(waits.slice(0, 6)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000]);
  expect(new Set(waits.slice(6))).toEqual(new Set([30_000]));
  expect(failures[0]).toBe('connection lost; reconnecting');
  expect(new Set(failures.slice(1))).toEqual(new Set(['Slack did not open a connection (HTTP 500)']));
});

/** A hello that says how long the connection lasts. */
const helloFor = (seconds: number) =>
  says({
    type: 'hello',
    num_connections: 1,
    debug_info: { host: 'applink-1', approximate_connection_time: seconds },
  });

it('a socket is replaced before the time that Slack gave it has passed, with no moment without one', async () => {
  const { receiver, clock, sockets, states } = await slackOf(helloFor(360), helloFor(360), hello);
  await receiver.start();
  clock.advance(299_999);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sockets).toHaveLength(1);
  clock.advance(1);
  await until('the second is open', () => sockets.length === 2);
  // The life of the second, and what is left of the first.
  await until('the first waits for its end', () => clock.sleeping() === 2);
  expect(sockets[0]?.readyState).toBe(sockets[0]?.OPEN);
  clock.advance(10_000);
  await until('the first is closed', () => sockets[0]?.readyState === sockets[0]?.CLOSED);
  clock.advance(290_000);
  await until('the third is open', () => sockets.length === 3);
  expect(states).toEqual([true]);
});

it('what Slack says of a life that cannot be is not heeded', async () => {
  const { receiver, clock, sockets } = await slackOf(helloFor(0), hello);
  await receiver.start();
  clock.advance(24 * 60 * 60_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sockets).toHaveLength(1);
});

import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { type ApiProxy, startApiProxy } from '../support/proxies/api-proxy.ts';
import { until } from '../support/until.ts';

const Readiness = z.object({ ready: z.boolean(), reasons: z.array(z.string()) });
const says = (message: object) => (socket: WebSocket) => socket.send(JSON.stringify(message));
const isFull = says({ type: 'disconnect', reason: 'too_many_websockets' });
const hello = says({ type: 'hello', num_connections: 1 });

let around: Surroundings;
let api: ApiProxy;
let bot: Bot;

beforeEach(async () => {
  around = await startSurroundings('socket');
});

async function start(): Promise<void> {
  api = await startApiProxy(around.workspace.apiUrl);
  bot = await startBotOn(around, { env: { SLACK_API_URL: api.url } });
  onTestFinished(async () => {
    await bot.stop();
    await around.close();
  });
  expect(await readyz()).toEqual({ ready: true, reasons: [], status: 200 });
}

async function readyz() {
  const answer = await fetch(`${bot.url}/readyz`);
  return { ...Readiness.parse(await answer.json()), status: answer.status };
}

/** `/readyz` comes to say so, and that nothing can be taken. */
const ails = (words: string) =>
  until(`/readyz says “${words}”`, async () => {
    const { status, ready, reasons } = await readyz();
    return status === 503 && !ready && reasons.join() === `Slack is not connected: ${words}`;
  });

/** The nth connection that is asked for is granted: all is well again, and what comes then is taken. */
async function letIn(nth: number): Promise<void> {
  await until('it is asked for', () => api.asked.length === nth);
  api.release();
  await until('/readyz is well again', async () => (await readyz()).status === 200);
  expect(await readyz()).toEqual({ ready: true, reasons: [], status: 200 });
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await until('an alert is taken', () => repliesTo(around, ts).length > 0);
}

/** Another socket than the workspace's, which does that with who comes. */
async function socketThat(does: (socket: WebSocket) => void): Promise<{ url: string }> {
  const hub = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  hub.on('connection', does);
  await new Promise((resolve) => hub.once('listening', resolve));
  onTestFinished(() => {
    for (const socket of hub.clients) socket.terminate();
    hub.close();
  });
  const { port } = hub.address() as AddressInfo; // listening on a port, so neither a path nor null
  return { url: `ws://127.0.0.1:${port}/` };
}

describe('/readyz while Socket Mode', () => {
  it('has broken off says so, until a new connection is there', async () => {
    await start();
    api.next('hold');
    around.workspace.disconnectSockets('drop');
    await ails('connection lost; reconnecting');
    await letIn(2);
  });

  it('was ended by Slack says why', async () => {
    await start();
    api.next('hold');
    around.workspace.disconnectSockets('refresh_requested');
    await ails('Slack closed the connection (refresh_requested)');
    await letIn(2);
  });

  it('is switched off says so', async () => {
    await start();
    api.next('hold');
    around.workspace.disconnectSockets('link_disabled');
    await ails('Socket Mode is turned off in the app’s settings (link_disabled)');
    await letIn(2);
  });

  it('meets failures of Slack says which', async () => {
    await start();
    api.next(...Array<{ status: number }>(3).fill({ status: 500 }), 'hold');
    around.workspace.disconnectSockets('drop');
    await ails('Slack did not open a connection (HTTP 500)');
    await letIn(5);
  });

  it('is refused for too many connections asks whether another copy runs', async () => {
    await start();
    api.next(await socketThat(isFull), 'hold');
    around.workspace.disconnectSockets('drop');
    await ails(
      'all ten connections that Slack allows an app are open: waiting for a free one. Is another copy running with this token? (too_many_websockets)',
    );
    await letIn(3);
  });

  it('falls silent says that it broke off', async () => {
    await start();
    const silent = await socketThat((socket) => {
      hello(socket);
      socket.pause();
    });
    api.next(silent, 'hold');
    around.workspace.disconnectSockets('drop');
    await until('another connection is asked for', () => api.asked.length === 2);
    await until('it looks well, since nobody has said otherwise', async () => (await readyz()).ready);
    await ails('connection lost; reconnecting');
    await letIn(3);
  });
});

import { afterEach, expect, it } from 'vitest';
import type { Bot } from '../../../src/bot/compose/index.ts';
import { listen, notFound } from '../../../src/bot/health/server.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../../support/program.ts';
import { unusedPort } from '../../support/scripted-service.ts';
import { until } from '../../support/until.ts';

let around: Surroundings;
let bot: Bot | undefined;

afterEach(async () => {
  await bot?.stop();
  bot = undefined;
  await around.close();
});

async function statuses(url: string): Promise<Record<string, number>> {
  const paths = ['/healthz', '/readyz', '/metrics', '/slack/events'];
  const found = paths.map(async (path) => [path, (await fetch(`${url}${path}`)).status] as const);
  return Object.fromEntries(await Promise.all(found));
}

it('METRICS_PORT takes metrics and the details of health away from the port that the internet sees', async () => {
  around = await startSurroundings('http');
  const port = await unusedPort();
  bot = await startBotOn(around, { env: { METRICS_PORT: String(port) } });
  expect(await statuses(bot.url)).toEqual({
    '/healthz': 200,
    '/readyz': 200,
    '/metrics': 404,
    '/slack/events': 405,
  });
  const ready = async (url: string): Promise<unknown> => (await fetch(`${url}/readyz`)).json();
  expect(await ready(bot.url)).toEqual({ status: 'ok' });
  expect(await ready(`http://127.0.0.1:${port}`)).toEqual({ ready: true, reasons: [], degraded: [] });
  expect(await statuses(`http://127.0.0.1:${port}`)).toEqual({
    '/healthz': 200,
    '/readyz': 200,
    '/metrics': 200,
    '/slack/events': 404,
  });
  const deliver = (url: string) => fetch(`${url}/slack/events`, { method: 'POST', body: '{}' });
  expect((await deliver(bot.url)).status).toBe(401);
  expect((await deliver(`http://127.0.0.1:${port}`)).status).toBe(404);
});

it('beside METRICS_PORT, PORT says that it is not ready, and not why', async () => {
  around = await startSurroundings('socket');
  const port = await unusedPort();
  bot = await startBotOn(around, { env: { METRICS_PORT: String(port) } });
  const { url } = bot;
  await around.workspace.close();
  const probe = await until('PORT is not ready', async () => {
    const answer = await fetch(`${url}/readyz`);
    return answer.status === 503 && answer;
  });
  expect(await probe.json()).toEqual({ status: 'unavailable' });
  expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toMatchObject({
    ready: false,
    reasons: [expect.stringMatching(/^Slack is not connected/)],
  });
  expect((await fetch(`${url}/readyz`, { method: 'POST' })).status).toBe(405);
});

it('a METRICS_PORT that is taken ends the start with its sentence, and frees the other port', async () => {
  around = await startSurroundings('http');
  const [port, other] = [await unusedPort(), await listen(notFound, 0, '127.0.0.1')];
  const env = { PORT: String(port), METRICS_PORT: String(other.port) };
  await expect(startBotOn(around, { env })).rejects.toThrow(
    `Port ${other.port} is already in use. Stop the other program, or set METRICS_PORT to a free port, for example METRICS_PORT=3001.`,
  );
  await other.close();
  const again = await listen(notFound, port, '127.0.0.1');
  await again.close();
});

it('is not ready while the socket is down, though the process answers', async () => {
  around = await startSurroundings('socket');
  bot = await startBotOn(around);
  const { url } = bot;
  const ready = async () => Object(await (await fetch(`${url}/readyz`)).json());
  expect(await ready()).toMatchObject({ ready: true });
  await around.workspace.close();
  expect(
    await until('it is not ready', async () => {
      const state = await ready();
      return state.ready === false && state;
    }),
  ).toMatchObject({ ready: false, reasons: [expect.stringMatching(/^Slack is not connected/)] });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

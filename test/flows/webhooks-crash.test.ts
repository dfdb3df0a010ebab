import { afterAll, expect, it } from 'vitest';
import { repliesTo, wordsOf } from '../support/alerts.ts';
import { webhookSteps } from '../support/chaos/steps.ts';
import { type Child, KILLABLE, startChild, untilSays } from '../support/child.ts';
import { type Surroundings, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let child: Child | null = null;

afterAll(async () => {
  child?.process.kill('SIGKILL');
  await child?.ended;
  await around.close();
});

async function start(killAt: string): Promise<{ running: Child; url: string }> {
  const routes = `*->${around.workspace.channels.alerts}`;
  const env = { ALERT_WEBHOOK_TOKEN: 'the-token', ALERT_ROUTES: routes, LOG_LEVEL: 'warn', KILL_AT: killAt };
  const running = startChild(KILLABLE, { ...around.env, ...env });
  child = running;
  const [, url = ''] = await Promise.race([
    untilSays(running, /started (http\S+)/u),
    running.ended.then(() => []),
  ]);
  return { running, url };
}

async function send(url: string, name: string): Promise<number> {
  const response = await fetch(new URL('/alerts/generic', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer the-token' },
    body: JSON.stringify({ title: name, fingerprint: name, severity: 'high', status: 'firing' }),
  });
  return response.status;
}

it('a program that is killed at any step of a webhook posts its alert once, and files it once', async () => {
  around = await startSurroundings('socket');
  const { workspace } = around;
  const names = webhookSteps.map((_, index) => `Disk ${'abcdefghijkl'[index]} is full`);
  for (const [index, step] of webhookSteps.entries()) {
    const { running, url } = await start(step);
    // It may die at what the one before left undone, or before it has answered; then the tool sends it again.
    await send(url, names[index] ?? '').catch(() => 0);
    await running.ended;
  }
  const { url } = await start('never');
  for (const name of names) expect(await send(url, name)).toBe(202);
  const messages = () => workspace.messages(workspace.channels.alerts);
  const titled = (name: string) => messages().filter((message) => wordsOf(message).includes(name));
  for (const name of names) {
    const [message] = await until(`${name} is posted`, () => (titled(name).length > 0 ? titled(name) : null));
    await until(`${name} has a card`, () => repliesTo(around, message?.ts ?? '')[0]);
  }
  expect(names.map((name) => titled(name).length)).toEqual(names.map(() => 1));
});

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert } from '../support/alerts.ts';
import { callTool, connectMcp } from '../support/mcp.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { untilPosted } from '../support/talking.ts';

const KEY = 'a-key-of-the-replicas';

let around: Surroundings;
let replicas: Bot[];

beforeEach(async () => {
  around = await startSurroundings('http');
  const env = { MCP_TOKENS: `agent:${KEY}:write` };
  replicas = [await startBotOn(around, { env }), await startBotOn(around, { env })];
});

afterEach(async () => {
  for (const bot of replicas) await bot.stop();
  await around.close();
});

it('any replica answers any call: fifty at once, and what one has handed out, the other takes', async () => {
  const { ts } = await around.workspace.post(alertmanagerAlert('CheckoutErrors'));
  await untilPosted(around, { channel: around.workspace.channels.alerts, ts }, 'Ready to fix');
  const [one, other] = await Promise.all(replicas.map((bot) => connectMcp(bot.url, { key: KEY })));
  if (!one || !other) throw new Error('there are two replicas');
  const calls = Array.from({ length: 50 }, (_, n) =>
    callTool(n % 2 === 0 ? one : other, 'get_result', { issue: '1' }),
  );
  const answers = await Promise.all(calls);
  expect(new Set(answers.map(({ data }) => Object(data).rootCause)).size).toBe(1);
  expect(answers.every(({ failed }) => !failed)).toBe(true);
  const [{ artifact }] = Object(answers[0]?.data).evidence.flatMap((item: object) => Object(item).artifacts);
  expect(await callTool(other, 'get_artifact', { artifact })).toMatchObject({ failed: false });
  const wish = { title: 'Checkout is slow' };
  const filed = await Promise.all([callTool(one, 'file_issue', wish), callTool(other, 'file_issue', wish)]);
  expect(filed[0]?.data).toEqual(filed[1]?.data);
});

it('a call that is cut off leaves nothing behind, and the next one is answered', async () => {
  const [bot] = replicas;
  if (!bot) throw new Error('there is a replica');
  const cut = new AbortController();
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'ask', arguments: { question: 'What is open?' } },
  });
  const headers = {
    authorization: `Bearer ${KEY}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const call = fetch(new URL('/mcp', bot.url), { method: 'POST', headers, body, signal: cut.signal });
  cut.abort();
  await expect(call).rejects.toThrow();
  const client = await connectMcp(bot.url, { key: KEY });
  expect(await callTool(client, 'ask', { question: 'What is open?' })).toMatchObject({ failed: false });
});

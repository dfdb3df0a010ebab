import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { type Surroundings, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let child: Child;
const asked: string[] = [];
const proxy = createServer().on('connect', (request, socket) => {
  asked.push(request.url ?? '');
  socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
});

beforeEach(async () => {
  around = await startSurroundings('socket');
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  child.process.kill('SIGKILL');
  await child.ended;
  proxy.closeAllConnections();
  proxy.close();
  await around.close();
});

it('HTTPS_PROXY is what Slack is reached through, and a stop while it refuses is in order', async () => {
  const address = proxy.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  child = startChild('src/main.ts', {
    ...around.env,
    SLACK_API_URL: 'https://slack.invalid/api/',
    HTTPS_PROXY: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'warn',
  });
  await until('the proxy was asked for Slack', () => asked.includes('slack.invalid:443'));

  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0);
});

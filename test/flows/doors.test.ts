import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';

let around: Surroundings;
let bot: Bot;

beforeEach(async () => {
  around = await startSurroundings('http');
  bot = await startBotOn(around, {
    env: {
      ALERT_WEBHOOK_TOKEN: 'token-of-the-tests',
      ALERT_WEBHOOK_SECRET_GRAFANA: 'secret-of-the-tests',
      ALERT_SNS_TOPICS: 'arn:aws:sns:eu-central-1:123456789012:alarms',
      ALERT_ROUTES: `*->${around.workspace.channels.alerts}`,
      MCP_TOKENS: 'reader:read-key-of-the-tests',
      MCP_SLACKBOT: 'true',
    },
  });
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

const MEGABYTE = 1024 * 1024;
/** Of the largest that a door takes, with what is on its way in the sockets. */
const MOST_TAKEN = 12 * MEGABYTE;

/** A connection that is closed with a body on its way is reset, and the reset may overtake the answer; it is never another one. */
const refusedWith = (...codes: number[]) => new RegExp(`^(?:HTTP/1\\.1 (?:${codes.join('|')}) .*)?$`, 'u');

/** Sends a head, then a body that never ends; the first line of the answer, and how much was taken until the end. */
function endless(url: string, head: readonly string[]): Promise<{ answer: string; taken: number }> {
  const { port, hostname } = new URL(url);
  const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x1_00_00)}\r\n`);
  return new Promise((resolve) => {
    let answer = '';
    let taken = 0;
    const socket = connect(Number(port), hostname);
    const send = () => {
      while (!socket.destroyed && answer === '' && taken < 2 * MOST_TAKEN) {
        taken += chunk.length;
        if (!socket.write(chunk)) return void socket.once('drain', send);
      }
    };
    socket.on('data', (bytes) => {
      answer ||= bytes.toString().split('\r\n')[0] ?? '';
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve({ answer, taken }));
    socket.write(`${[...head, 'Host: localhost', 'Transfer-Encoding: chunked', '', ''].join('\r\n')}`);
    send();
  });
}

const NOW = () => String(Math.floor(around.clock.now() / 1_000));
const signedBySlack = () => [
  `X-Slack-Request-Timestamp: ${NOW()}`,
  `X-Slack-Signature: v0=${'0'.repeat(64)}`,
];
const JSON_TYPE = 'Content-Type: application/json';

it.each<[string, () => string[]]>([
  ['a delivery of Slack’s', () => ['POST /slack/events HTTP/1.1', JSON_TYPE, ...signedBySlack()]],
  [
    'Slack’s test of the connection',
    () => ['POST /slack/events HTTP/1.1', 'Content-Type: application/x-www-form-urlencoded'],
  ],
  [
    'a signed webhook',
    () => ['POST /alerts/grafana HTTP/1.1', JSON_TYPE, `X-Grafana-Alerting-Signature: ${'0'.repeat(64)}`],
  ],
  ['a message of SNS', () => ['POST /alerts/cloudwatch HTTP/1.1', 'Content-Type: text/plain']],
  [
    'a webhook with a token',
    () => ['POST /alerts/alertmanager HTTP/1.1', JSON_TYPE, 'Authorization: Bearer wrong'],
  ],
  ['a request of Slackbot’s', () => ['POST /mcp HTTP/1.1', JSON_TYPE, ...signedBySlack()]],
  ['a request of an agent', () => ['POST /mcp HTTP/1.1', JSON_TYPE, 'Authorization: Bearer wrong']],
])('of %s that nobody has verified, no more is read than its door takes', async (_what, head) => {
  const { answer, taken } = await endless(bot.url, head());
  expect(answer).toMatch(refusedWith(401, 413));
  expect(taken).toBeLessThan(MOST_TAKEN);
});

it.each([
  ['the API', 'POST /api/v2/issues HTTP/1.1'],
  ['changes', 'POST /changes HTTP/1.1'],
  ['changed flags', 'POST /changes/flagsmith HTTP/1.1'],
  ['agents', 'POST /mcp HTTP/1.1'],
])('nor at the service’s door for %s', async (_which, line) => {
  const { answer, taken } = await endless(around.service.url, [
    line,
    JSON_TYPE,
    'Authorization: Bearer wrong',
  ]);
  expect(answer).toMatch(refusedWith(401, 404));
  expect(taken).toBeLessThan(MOST_TAKEN);
});

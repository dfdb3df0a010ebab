import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Child, startChild, untilPrinted } from '../support/child.ts';
import { CROWDS, crowd } from '../support/crowd.ts';
import { type Surroundings, startSurroundings } from '../support/program.ts';

const TOKEN = 'token-of-the-tests';
/** More than the bot takes at a time. */
const MANY = 2_300;
const EACH = 67;
/** Shorter than what the bot gives a request to arrive in (15 s): then the strangers would have had to leave first. */
const PATIENCE_MS = 12_000;

let around: Surroundings;
let child: Child;
let port: number;

beforeEach(async () => {
  around = await startSurroundings('http');
  child = startChild('src/main.ts', {
    ...around.env,
    ALERT_WEBHOOK_TOKEN: TOKEN,
    ALERT_WEBHOOK_SECRET_GRAFANA: 'secret-of-the-tests',
    ALERT_ROUTES: `*->${around.workspace.channels.alerts}`,
    LOG_LEVEL: 'info',
  });
  const [, found = ''] = await untilPrinted(child, /http:\/\/[\w.]+:(\d+)/u);
  port = Number(found);
});

afterEach(async () => {
  child.process.kill('SIGKILL');
  await child.ended;
  await around.close();
});

/** The status of the answer; 0 for none in time. Each comes on a connection of its own, as through a proxy without any to spare. */
function ask(
  path: string,
  { body, headers }: { body?: string; headers?: Record<string, string> } = {},
): Promise<number> {
  return new Promise((resolve) => {
    const method = body === undefined ? 'GET' : 'POST';
    const req = request(
      { host: '127.0.0.1', port, path, method, headers: headers ?? {}, agent: false },
      (res) => {
        res.resume().on('end', () => resolve(res.statusCode ?? 0));
      },
    );
    req.setTimeout(PATIENCE_MS, () => req.destroy());
    req.on('error', () => resolve(0)).end(body);
  });
}

function delivery(n: number): Promise<number> {
  const event = {
    type: 'message',
    channel: 'C0ELSEWHERE',
    user: 'U0ALICE0001',
    ts: `1700000000.${n}`,
    text: 'hello',
  };
  const body = JSON.stringify({
    type: 'event_callback',
    team_id: 'T0LOCAL001',
    api_app_id: 'A0LOCAL001',
    event_id: `EvCROWD${n}`,
    event,
  });
  const at = String(Math.floor(Date.now() / 1_000));
  const digest = createHmac('sha256', around.workspace.signingSecret)
    .update(`v0:${at}:${body}`)
    .digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-slack-request-timestamp': at,
    'x-slack-signature': `v0=${digest}`,
  };
  return ask('/slack/events', { body, headers });
}

function webhook(n: number): Promise<number> {
  const alert = {
    status: 'firing',
    labels: { alertname: 'Crowded', instance: `node-${n}` },
    startsAt: '2026-03-17T12:00:00Z',
  };
  const body = JSON.stringify({ version: '4', status: 'firing', receiver: 'x', alerts: [alert] });
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  return ask('/alerts/alertmanager', { body, headers });
}

it.each(Object.entries(CROWDS))(
  'while 2,300 connections %s, everybody else is served',
  async (_how, words) => {
    const strangers = await crowd(port, MANY, words);
    const answers = { deliveries: [] as number[], probes: [] as number[], webhooks: [] as number[] };
    for (let n = 0; n < EACH; n += 1) {
      const [a, b, c] = await Promise.all([delivery(n), ask('/healthz'), webhook(n)]);
      answers.deliveries.push(a);
      answers.probes.push(b);
      answers.webhooks.push(c);
    }
    strangers.leave();
    expect(answers).toEqual({
      deliveries: Array(EACH).fill(200),
      probes: Array(EACH).fill(200),
      webhooks: Array(EACH).fill(202),
    });
  },
);

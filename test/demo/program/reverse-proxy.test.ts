import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Listening, listen } from '../../../src/bot/health/server.ts';
import { createReverseProxy } from '../../../src/demo/program/reverse-proxy.ts';
import type { BotState } from '../../../src/demo/scenarios/bot-command.ts';

const PATHS = ['/slack/events', '/healthz', '/readyz', '/metrics', '/alerts/'];

let listening: Listening[];
let state: BotState;
let url: string | null;
let front: string;

async function serve(listener: RequestListener): Promise<string> {
  const server = await listen(listener, 0, '127.0.0.1');
  listening.push(server);
  return `http://127.0.0.1:${server.port}`;
}

beforeEach(async () => {
  listening = [];
  state = 'down';
  url = null;
  const page: RequestListener = (_req, res) => res.end('the page');
  const service = await serve((req, res) => {
    text(req).then((body) => res.end(`${req.method} ${req.url} of the service: ${body}`));
  });
  front = await serve(
    createReverseProxy({ paths: PATHS, page, service, bot: { state: () => state, url: () => url } }),
  );
});

it('takes what pipelines report for the embedded service, also while the bot is down', async () => {
  const response = await fetch(`${front}/changes`, { method: 'POST', body: '{"service":"cart"}' });
  expect(await response.text()).toBe('POST /changes of the service: {"service":"cart"}');
});

afterEach(async () => {
  for (const server of listening.splice(0)) await server.close();
});

describe('the port of npm start, while the bot runs', () => {
  it('passes on method, path, headers and body, and gives back the answer', async () => {
    state = 'running';
    url = await serve(async (req, res) => {
      const heard = [
        req.method,
        req.url,
        req.headers['x-slack-signature'],
        req.headers['content-length'],
        await text(req),
      ];
      res.writeHead(418, { 'x-slack-no-retry': '1', 'content-type': 'text/plain' }).end(heard.join(' '));
    });
    const answer = await fetch(`${front}/slack/events?a=1`, {
      method: 'POST',
      body: '{"type":"event"}',
      headers: { 'x-slack-signature': 'v0=abc' },
    });
    expect(answer.status).toBe(418);
    expect(answer.headers.get('x-slack-no-retry')).toBe('1');
    expect(await answer.text()).toBe('POST /slack/events?a=1 v0=abc 16 {"type":"event"}');
  });

  it('passes on everything below a path that ends in a slash, and nothing beside it', async () => {
    state = 'running';
    url = await serve((req, res) => res.end(req.url));
    expect(await (await fetch(`${front}/alerts/grafana?a=1`)).text()).toBe('/alerts/grafana?a=1');
    expect(await (await fetch(`${front}/alerts`)).text()).toBe('the page');
    expect(await (await fetch(`${front}/alertsx/grafana`)).text()).toBe('the page');
  });

  it('passes on what comes in pieces', async () => {
    state = 'running';
    url = await serve(async (req, res) => res.end(await text(req)));
    const pieces = new ReadableStream({
      start: (controller) => {
        for (const piece of ['one ', 'two ', 'three']) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
    const answer = await fetch(`${front}/slack/events`, { method: 'POST', body: pieces, duplex: 'half' });
    expect(await answer.text()).toBe('one two three');
  });

  it('serves the page itself', async () => {
    state = 'running';
    url = await serve((_req, res) => res.end('the bot'));
    expect(await (await fetch(`${front}/`)).text()).toBe('the page');
    expect(await (await fetch(`${front}/healthz/more`)).text()).toBe('the page');
    expect(await (await fetch(`${front}/healthz`)).text()).toBe('the bot');
  });

  it('says so where the bot dies before it answers', async () => {
    state = 'running';
    url = await serve((req) => req.socket.destroy());
    expect((await fetch(`${front}/slack/events`, { method: 'POST', body: '{}' })).status).toBe(502);
    const ready = await fetch(`${front}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({
      ready: false,
      reasons: ['Gumshoe closed the connection before it answered'],
      degraded: [],
    });
  });

  it('breaks off an answer that the bot breaks off', async () => {
    state = 'running';
    url = await serve((req, res) => {
      res.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => req.socket.destroy());
    });
    await expect(fetch(`${front}/metrics`).then((answer) => answer.text())).rejects.toThrow();
  });
});

describe('the port of npm start, while the bot does not run', () => {
  it.each([
    ['down', 'Gumshoe is down: start it again on the page of the local workspace'],
    ['starting', 'Gumshoe is starting: retry in a moment'],
    ['stopping', 'Gumshoe is stopping'],
  ] as const)('answers for it, and goes on with the page: %s', async (now, sentence) => {
    state = now;
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(front + path, init);
      return { status: answer.status, body: await answer.json() };
    };
    expect(await ask('/readyz')).toEqual({
      status: 503,
      body: { ready: false, reasons: [sentence], degraded: [] },
    });
    expect(await ask('/healthz')).toEqual({ status: 503, body: { status: 'down', error: sentence } });
    expect(await ask('/metrics')).toEqual({ status: 503, body: { error: sentence } });
    expect(await ask('/slack/events', { method: 'POST', body: '{}' })).toEqual({
      status: 503,
      body: { error: sentence },
    });
    expect(await (await fetch(`${front}/`)).text()).toBe('the page');
  });
});

import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Listening, listen } from '../../../src/bot/health/server.ts';
import { forwardChanges } from '../../../src/demo/program/demo.ts';

let listening: Listening[];

async function serve(listener: RequestListener): Promise<string> {
  const server = await listen(listener, 0, '127.0.0.1');
  listening.push(server);
  return `http://127.0.0.1:${server.port}`;
}

/** The port of npm start in front of a service. */
function before(service: string): Promise<string> {
  const paths = forwardChanges(service);
  return serve((req, res) => paths[(req.url ?? '').split('?')[0] ?? '']?.(req, res));
}

beforeEach(() => {
  listening = [];
});

afterEach(async () => {
  for (const server of listening.splice(0)) await server.close();
});

it('what pipelines report is passed on with its method, query, headers and body, and the answer given back', async () => {
  const service = await serve(async (req, res) => {
    const heard = [
      req.method,
      req.url,
      req.headers['x-token'],
      req.headers['content-length'],
      await text(req),
    ];
    res.writeHead(418, { 'content-type': 'text/plain', 'x-request-id': 'r-1' }).end(heard.join(' '));
  });
  const front = await before(service);
  const post = (path: string) =>
    fetch(front + path, { method: 'POST', body: '{"service":"cart"}', headers: { 'x-token': 'abc' } });
  const answer = await post('/changes?a=1');
  expect(answer.status).toBe(418);
  expect(answer.headers.get('x-request-id')).toBe('r-1');
  expect(await answer.text()).toBe('POST /changes?a=1 abc 18 {"service":"cart"}');
  expect(await (await post('/changes/launchdarkly')).text()).toContain('POST /changes/launchdarkly');
});

it('what comes in pieces is passed on as it comes', async () => {
  const front = await before(await serve(async (req, res) => void res.end(await text(req))));
  const pieces = new ReadableStream({
    start: (controller) => {
      for (const piece of ['one ', 'two ', 'three']) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const answer = await fetch(`${front}/changes`, { method: 'POST', body: pieces, duplex: 'half' });
  expect(await answer.text()).toBe('one two three');
});

it('a service that hangs up is reported before it has answered, and its answer broken off after', async () => {
  const dead = await before(await serve((req) => void req.socket.destroy()));
  const refused = await fetch(`${dead}/changes`, { method: 'POST', body: '{}' });
  expect({ status: refused.status, body: await refused.json() }).toEqual({
    status: 502,
    body: { error: 'The investigation service did not answer: retry in a moment' },
  });
  const half = await before(
    await serve((req, res) => {
      res.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => req.socket.destroy());
    }),
  );
  await expect(fetch(`${half}/changes`).then((answer) => answer.text())).rejects.toThrow();
});

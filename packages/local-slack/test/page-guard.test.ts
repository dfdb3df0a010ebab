import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { rejectionOf } from '../src/page-routes/guard.ts';
import { servePage, testWorkspace } from '../testing/index.ts';

const ALICE = 'U0ALICE001';

async function serving() {
  const workspace = await testWorkspace();
  return { workspace, port: Number(new URL(await servePage(workspace)).port) };
}

interface Ask {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A request with exactly these headers, which `fetch` would not send. */
function ask(port: number, { method = 'GET', path = '/', headers = {}, body = '' }: Ask) {
  return new Promise<{ status: number | undefined; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const req = request({ host: '127.0.0.1', port, method, path, headers }, (res) => {
        let text = '';
        res.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        res.on('end', () => resolve({ status: res.statusCode, headers: res.headers, text }));
      });
      req.on('error', reject);
      req.end(body);
    },
  );
}

const post = (headers: Record<string, string>): Ask => ({
  method: 'POST',
  path: '/page-api/messages',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ as: ALICE, channel: 'C0NOWHERE', text: 'hi' }),
});

describe('another site', () => {
  it.each<[string, Ask]>([
    ['a rebound name', { headers: { host: 'evil.example' } }],
    ['a rebound name that looks local', { headers: { host: 'localhost.evil.example' } }],
    ['a name with a user in it', { headers: { host: 'localhost@evil.example' } }],
    ['a user before the name', { headers: { host: 'evil.example@localhost' } }],
    ['a path behind the name', { headers: { host: 'localhost:80/evil.example' } }],
    ['a host that is none', { headers: { host: '%%' } }],
    ['a post of another origin', post({ origin: 'https://evil.example' })],
    ['a post of a page without an origin', post({ origin: 'null' })],
    ['a post of another port here', post({ origin: 'http://127.0.0.1:1' })],
    [
      'a panel of another origin',
      { ...post({ origin: 'https://evil.example' }), path: '/page-api/stage/bot' },
    ],
    ['a reading of another origin', { path: '/page-api/state', headers: { origin: 'https://evil.example' } }],
    [
      'a picture of ours in its page',
      { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } },
    ],
    ['a script of ours in its page', { path: '/page-api/state', headers: { 'sec-fetch-site': 'same-site' } }],
    [
      'a frame around the page',
      {
        headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      },
    ],
    [
      'a form that is sent here',
      {
        ...post({
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'document',
        }),
      },
    ],
  ])('with %s is refused', async (_what, asked) => {
    const { port } = await serving();
    expect((await ask(port, asked)).status).toBe(403);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'multipart/form-data; boundary=x',
  ])('that posts %s, for which a browser asks nobody, is refused', async (type) => {
    const { port } = await serving();
    expect((await ask(port, post({ 'content-type': type }))).status).toBe(415);
  });

  it('may have somebody follow a link here', async () => {
    const { port } = await serving();
    const followed = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect((await ask(port, { headers: followed })).status).toBe(200);
  });
});

describe('the page itself', () => {
  it('reads and posts', async () => {
    const { port } = await serving();
    const own = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' };
    expect((await ask(port, post(own))).status).toBe(200);
    expect((await ask(port, { path: '/page-api/state', headers: own })).status).toBe(200);
  });

  it('hears that a body is broken, and no more', async () => {
    const { port } = await serving();
    const answer = await ask(port, { ...post({}), body: '{' });
    expect(answer).toMatchObject({ status: 400, text: 'The body is not application/json.' });
  });
});

it.each([
  '//',
  '//evil.example/',
  'http://evil.example/page-api/state',
  '/%00',
  '/%E0%A4%A',
  '/..%2f..%2fpackage.json',
  '/assets/../../package.json',
  '/page-api/__proto__',
])('%s is nowhere', async (path) => {
  const { port } = await serving();
  expect((await ask(port, { path })).status).toBe(404);
});

describe('every answer', () => {
  it.each(['/', '/page-api/state', '/page-api/nothing', '/nothing.js', '/gallery'])(
    'of %s may be framed, taken for something else and told about by nobody',
    async (path) => {
      const { port } = await serving();
      const { headers } = await ask(port, { path });
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      expect(String(headers['content-security-policy'])).not.toMatch(/unsafe|\*/u);
      expect(headers).not.toHaveProperty('server');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    },
  );
});

it('another machine is refused, whatever it says its host is', () => {
  const from = (remoteAddress: string) =>
    rejectionOf({ method: 'GET', headers: { host: 'localhost' }, socket: { remoteAddress } });
  expect(['10.0.0.7', '192.168.1.2', '::ffff:10.0.0.7', 'fe80::1', ''].map(from)).toEqual(
    Array.from({ length: 5 }, () => 'The page is only available on this machine.'),
  );
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].map(from)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it('what is embedded cannot be reached from the network', async () => {
  const { workspace } = await serving();
  const { port } = new URL(workspace.apiUrl);
  const outside = Object.values(networkInterfaces())
    .flatMap((some) => some ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  expect(new URL(workspace.apiUrl).hostname).toBe('127.0.0.1');
  if (outside === undefined) return;
  await expect(fetch(`http://${outside.address}:${port}/api/api.test`)).rejects.toThrow();
});

import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { anEvent, MEGABYTE, NEXT_SECRET, NOW, receiving, SECRET, send } from '../support/http-receiving.ts';

const FORM = 'application/x-www-form-urlencoded';

/** What Slack would sign so, with a clock that is off. */
function signed(body: string, { at = NOW, secret = SECRET } = {}): Record<string, string> {
  const digest = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(at), 'x-slack-signature': `v0=${digest}` };
}

/** Writes bytes as they are; answers what comes back until the other side closes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (bytes) => {
      heard += bytes.toString();
    });
    socket.on('close', () => resolve(heard));
    socket.on('error', () => undefined);
  });
}

describe('what is not signed by Slack, now', () => {
  const body = anEvent('hello');
  it.each<[string, Record<string, string>]>([
    ['with another secret', signed(body, { secret: 'guessed' })],
    ['for another body', signed(anEvent('other'))],
    ['six minutes ago', signed(body, { at: NOW - 360 })],
    ['six minutes from now', signed(body, { at: NOW + 360 })],
    ['at a time that is no number', { ...signed(body), 'x-slack-request-timestamp': '1e3' }],
    ['at no time', { ...signed(body), 'x-slack-request-timestamp': '' }],
    ['by half a signature', { ...signed(body), 'x-slack-signature': 'v0=abc' }],
    [
      'by a version that is not ours',
      { ...signed(body), 'x-slack-signature': signed(body)['x-slack-signature']?.replace('v0', 'v1') ?? '' },
    ],
  ])('%s is refused with 401 and reaches nobody', async (_how, headers) => {
    const { accepted, port } = await receiving();
    expect(await send(port, [body], { headers })).toMatchObject({ status: 401, body: '' });
    expect(accepted).toEqual([]);
  });

  it('but with either of two secrets, while one is being replaced, is taken', async () => {
    const { accepted, port } = await receiving();
    for (const secret of [SECRET, NEXT_SECRET]) {
      expect(await send(port, [body], { headers: signed(body, { secret }) })).toMatchObject({ status: 200 });
    }
    expect(accepted).toHaveLength(2);
  });

  it('but four minutes off, either way, is taken', async () => {
    const { accepted, port } = await receiving();
    for (const at of [NOW - 240, NOW + 240]) {
      expect(await send(port, [body], { headers: signed(body, { at }) })).toMatchObject({ status: 200 });
    }
    expect(accepted).toHaveLength(2);
  });

  it('is answered before its body is there', async () => {
    const { port } = await receiving();
    const head = `POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
    expect(await raw(port, `${head}Content-Length: 1000000\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 401 /u);
  });

  it('is never parsed: broken JSON without a signature is 401, with one 400', async () => {
    const { port } = await receiving();
    const headers = signed('{', { secret: 'guessed' });
    expect(await send(port, ['{'], { headers })).toMatchObject({ status: 401 });
    expect(await send(port, ['{'])).toMatchObject({ status: 400 });
  });
});

describe('Slack’s test of the connection', () => {
  const unsigned = { 'content-type': FORM, 'x-slack-signature': '', 'x-slack-request-timestamp': '' };
  it('is answered, and what is smuggled with it is not taken', async () => {
    const { accepted, port } = await receiving();
    const payload = encodeURIComponent(JSON.stringify({ type: 'block_actions', actions: [] }));
    const test = `ssl_check=1&token=x&payload=${payload}`;
    expect(await send(port, [test], { headers: unsigned })).toMatchObject({ status: 200, body: '' });
    expect(accepted).toEqual([]);
  });

  it('without being one is 401, and a long one is not read', async () => {
    const { port } = await receiving();
    expect(await send(port, ['command=%2Fissue'], { headers: unsigned })).toMatchObject({ status: 401 });
    const long = `ssl_check=1&x=${'x'.repeat(5_000)}`;
    expect(await send(port, [long], { headers: unsigned })).toMatchObject({ status: 413 });
  });
});

describe('what Slack would not send', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is answered with 405', async (method) => {
    const { accepted, port } = await receiving();
    const answer = await send(port, [], { method });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect(accepted).toEqual([]);
  });

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/xml', ''])(
    'the content type “%s” is answered with 415',
    async (type) => {
      const { accepted, port } = await receiving();
      const answer = await send(port, [anEvent('hello')], { headers: { 'content-type': type } });
      expect(answer).toMatchObject({ status: 415 });
      expect(accepted).toEqual([]);
    },
  );

  it.each(['null', '[]', '7', '"text"', 'true', '', '{"a":', '\u0000'])(
    'the JSON body %j is answered with 400, and the next delivery is taken',
    async (body) => {
      const { accepted, port } = await receiving();
      expect(await send(port, [body])).toMatchObject({ status: 400 });
      expect(await send(port, [anEvent('hello')])).toMatchObject({ status: 200 });
      expect(accepted).toHaveLength(1);
    },
  );

  it.each(['payload=null', 'payload=[]', 'payload={', 'payload={}&payload={}'])(
    'the form %s is answered with 400',
    async (body) => {
      const { accepted, port } = await receiving();
      expect(await send(port, [body], { headers: { 'content-type': FORM } })).toMatchObject({ status: 400 });
      expect(accepted).toEqual([]);
    },
  );

  it('a body that says it is too large is not read', async () => {
    const { port } = await receiving();
    const lines = Object.entries(signed('x')).map(([name, value]) => `${name}: ${value}`);
    const head = ['POST /slack/events HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...lines];
    const length = `Content-Length: ${5 * MEGABYTE}`;
    expect(await raw(port, `${[...head, length].join('\r\n')}\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 413 /u);
  });
});

describe('every answer', () => {
  it('tells nothing of what runs here', async () => {
    const { port } = await receiving(() => Promise.reject(new Error('at /srv/gumshoe/secret.ts:1')));
    const answers = [
      await send(port, [anEvent('x')]),
      await send(port, ['{']),
      await send(port, [], { method: 'GET' }),
      await send(port, [anEvent('x')], { headers: { 'x-slack-signature': '' } }),
    ];
    for (const answer of answers) {
      if (typeof answer === 'string') throw new Error(answer);
      expect(answer.body).toBe('');
      expect(Object.keys(answer.headers)).not.toContain('server');
      expect(Object.keys(answer.headers)).not.toContain('x-powered-by');
    }
  });
});

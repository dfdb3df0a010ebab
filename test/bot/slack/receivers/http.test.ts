import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { until } from '../../../support/until.ts';
import { anEvent, clock, MEGABYTE, NOW, ofSize, receiving, SECRET, send } from '../support/http-receiving.ts';

describe('a signed delivery', () => {
  it('is handed to the inbox whole although it comes in pieces, inside a character even', async () => {
    const { accepted, port } = await receiving();
    const body = anEvent('🔥 down');
    const bytes = Buffer.from(body);
    const at = bytes.indexOf(Buffer.from('🔥')) + 2;
    const timestamp = String(NOW);
    const signature = createHmac('sha256', SECRET).update(`v0:${timestamp}:${body}`).digest('hex');
    const status = await new Promise((resolve) => {
      const req = request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/slack/events',
        headers: {
          'content-type': 'application/json',
          'x-slack-request-timestamp': timestamp,
          'x-slack-signature': `v0=${signature}`,
        },
      });
      req.on('response', (res) => resolve(res.resume().statusCode));
      req.write(bytes.subarray(0, at));
      req.end(bytes.subarray(at));
    });
    expect(status).toBe(200);
    expect(accepted.map(({ body }) => body)).toEqual([
      { type: 'event_callback', event_id: 'Ev1', event: { type: 'message', text: '🔥 down' } },
    ]);
  });

  it('of 4 MB is taken, and one byte more is refused', async () => {
    const { accepted, port } = await receiving();
    expect(await send(port, [ofSize(4 * MEGABYTE)])).toMatchObject({ status: 200, body: '' });
    expect(accepted).toHaveLength(1);
    expect(await send(port, [ofSize(4 * MEGABYTE + 1)])).toMatchObject({ status: 413 });
    expect(accepted).toHaveLength(1);
  });

  it('that breaks off is left, and the next one is taken', async () => {
    const { accepted, port, lines } = await receiving();
    expect(await send(port, ['{"type":"event_'], { endEarly: true })).toMatch(/socket hang up/);
    const [line] = await until('it is said', () => lines.length > 0 && lines);
    expect(line).toEqual({
      level: 40,
      time: expect.any(Number),
      reason: 'aborted',
      msg: 'a request to /slack/events ended before its body arrived',
    });
    expect(await send(port, [anEvent('hello')])).toMatchObject({ status: 200 });
    expect(accepted).toHaveLength(1);
  });

  it('that cannot be stored is answered with 503, so that Slack sends it again', async () => {
    const { port } = await receiving(() => Promise.reject(new Error('disk full')));
    expect(await send(port, [anEvent('hello')])).toMatchObject({ status: 503, body: '' });
  });

  it('whose handling fails after its acknowledgement keeps its 200', async () => {
    const { port } = await receiving(async ({ ack }) => {
      await ack();
      throw new Error('the listener failed');
    });
    expect(await send(port, [anEvent('hello')])).toMatchObject({ status: 200 });
  });

  it('of a button is read out of its form, and the acknowledgement is its body', async () => {
    const { accepted, port } = await receiving(({ ack }) => ack({ text: 'done' }));
    const payload = {
      type: 'block_actions',
      user: { id: 'U1' },
      actions: [{ action_id: 'a', block_id: 'b' }],
    };
    const form = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await send(port, [form], { headers })).toMatchObject({ status: 200, body: '{"text":"done"}' });
    expect(accepted.map(({ body }) => body)).toEqual([payload]);
  });

  it('that is acknowledged late gets its response, and a line in the log', async () => {
    const late = Promise.withResolvers<void>();
    const { port, lines } = await receiving(async ({ ack }) => {
      await late.promise;
      await ack({ text: 'done' });
    });
    const answer = send(port, [anEvent('hello')]);
    await until('Slack waits', () => clock.sleeping() === 1);
    clock.advance(3_000);
    const [line] = await until('it is late', () => lines.length > 0 && lines);
    expect(line).toMatchObject({
      level: 40,
      msg: expect.stringMatching(/not acknowledged within three seconds/),
    });
    late.resolve();
    expect(await answer).toMatchObject({ status: 200, body: '{"text":"done"}' });
    expect(clock.sleeping()).toBe(0);
  });

  it('that Slack sends to test the connection is answered without the inbox', async () => {
    const { accepted, port } = await receiving();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await send(port, ['ssl_check=1&token=x'], { headers })).toMatchObject({ status: 200, body: '' });
    expect(accepted).toEqual([]);
  });

  it('that asks whether we are there is answered without the inbox', async () => {
    const { accepted, port } = await receiving();
    const challenge = JSON.stringify({ type: 'url_verification', challenge: 'abc' });
    expect(await send(port, [challenge])).toMatchObject({
      status: 200,
      body: '{"challenge":"abc"}',
    });
    expect(accepted).toEqual([]);
  });
});

describe('an unsigned delivery', () => {
  it.each([
    ['no signature', { 'x-slack-signature': '' }],
    ['no timestamp', { 'x-slack-request-timestamp': '' }],
    ['a timestamp that is no number', { 'x-slack-request-timestamp': 'now' }],
  ])('with %s is refused with 401 and reaches nobody', async (_what, headers) => {
    const { accepted, port } = await receiving();
    expect(await send(port, [anEvent('hello')], { headers })).toMatchObject({ status: 401 });
    expect(accepted).toEqual([]);
  });
});

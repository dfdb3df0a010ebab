import { describe, expect, test } from 'vitest';
import { EVERY_CALL } from './every-call.ts';
import { API_KEY, errorOf, harness } from './harness.ts';

const REFUSED = { status: 403, json: { type: 'api_error', message: 'no', request_id: 'req_1' } };
const BROKEN = { status: 500, json: { type: 'api_error', message: 'oops', request_id: 'req_2' } };

describe.each(EVERY_CALL)('%s', (operation, call) => {
  test('bears the key and the version, and is named in its error with the request id', async () => {
    await using h = await harness([REFUSED]);
    expect(await errorOf(call(h.client))).toMatchObject({
      name: 'RejectedError',
      operation,
      status: 403,
      requestId: 'req_1',
    });
    expect(h.service.received[0]?.headers).toMatchObject({
      authorization: `Bearer ${API_KEY}`,
      'service-version': '2026-03-17',
    });
  });

  test('can be cancelled on its way', async () => {
    await using h = await harness([{ instead: 'hang' }]);
    const controller = new AbortController();
    const ended = errorOf(call(h.client, controller.signal));
    await expect.poll(() => h.service.received.length, { interval: 5 }).toBe(1);
    controller.abort();
    expect(await ended).toMatchObject({ name: 'CancelledError', operation });
  });

  test('can be cancelled while its answer arrives', async () => {
    await using h = await harness([{ chunks: ['{"data":'], after: 'hang' }]);
    const controller = new AbortController();
    const ended = errorOf(call(h.client, controller.signal));
    await expect.poll(() => h.service.received.length, { interval: 5 }).toBe(1);
    controller.abort();
    expect(await ended).toMatchObject({ name: 'CancelledError', operation });
  });

  test('is held back by a breaker that its own failures opened', async () => {
    await using h = await harness([]);
    for (let count = 0; count < 5; count++) {
      h.service.script(...Array(4).fill(BROKEN));
      expect(await errorOf(call(h.client))).toMatchObject({ name: 'RejectedError' });
    }
    const sent = h.service.received.length;
    expect(await errorOf(call(h.client))).toMatchObject({ name: 'CircuitOpenError', operation });
    expect(h.service.received).toHaveLength(sent);
  });
});

describe.each(EVERY_CALL.filter(([operation]) => !operation.startsWith('query.')))(
  '%s',
  (operation, call) => {
    test('is bounded in time, each attempt of it', async () => {
      await using h = await harness(Array(4).fill({ instead: 'hang' }), { timeoutMs: 20 });
      expect(await errorOf(call(h.client))).toMatchObject({ name: 'TimedOutError', operation });
      expect(h.service.received).toHaveLength(operation === 'issues.create' ? 1 : 4);
    });
  },
);

import { expect, it } from 'vitest';
import { createShop } from '../../src/demo/shop/shop.ts';
import { createApp } from '../../src/service/api/app.ts';
import { createRunner } from '../../src/service/investigation/runner.ts';
import { createServiceMetrics } from '../../src/service/metrics.ts';
import { openStore } from '../../src/service/store/store.ts';
import { describedBy } from '../support/described.ts';
import { manualClock } from '../support/manual-clock.ts';

it('7 500: a failure of the service is told without its cause, which the log has', async () => {
  const logged: unknown[] = [];
  const store = await openStore({ file: ':memory:' });
  const clock = manualClock();
  const log = {
    warn: () => undefined,
    error: (fields: Record<string, unknown>, message: string) => logged.push([message, fields]),
  };
  const limits = { requests: 300, ms: 60_000 };
  const telemetry = createShop({ seed: 1, injected: () => [] });
  const app = createApp({
    store,
    runner: createRunner({ store, telemetry, limits, clock, log }),
    telemetry,
    limits,
    metrics: createServiceMetrics(),
    changesToken: null,
    changesSecrets: new Map(),
    clock,
    log,
    keys: new Map([['k', 'o']]),
    rateLimit: undefined,
    closing: new AbortController().signal,
  });
  const { faults } = describedBy(await (await app.request('/openapi.json')).json());
  await store.close();
  const answer = await app.request('/api/v2/issues', { headers: { authorization: 'Bearer k' } });
  const text = await answer.text();
  const { status, headers } = answer;
  const request_id = headers.get('x-request-id');
  expect([status, JSON.parse(text)]).toEqual([
    500,
    {
      type: 'api_error',
      message: 'Internal error; look up this request_id in the service log',
      request_id,
    },
  ]);
  expect(faults({ method: 'GET', path: '/issues', status, headers, text })).toEqual([]);
  expect(logged).toEqual([['a request failed', { err: expect.any(Error), request_id }]]);
});

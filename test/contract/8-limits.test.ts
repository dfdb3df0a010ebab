import { expect, it } from 'vitest';
import { handClock, testService } from '../sandbox/service/support.ts';

it('refuses what a key asks beyond its limit, and says when to come back', async () => {
  const clock = handClock();
  const { get } = await testService({ clock, rateLimit: { requests: 2, windowMs: 10_000 } });
  expect((await get('/issues')).status).toBe(200);
  expect((await get('/issues')).status).toBe(200);
  clock.advance(2500);
  const refused = await get('/issues');
  expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
    429,
    '8',
    {
      type: 'invalid_request_error',
      message: 'More than 2 requests: slow down',
      request_id: refused.headers.get('x-request-id'),
    },
  ]);
  expect((await get('/issues', { key: 'globex-key' })).status).toBe(200);
  clock.advance(7500);
  expect((await get('/issues')).status).toBe(200);
});

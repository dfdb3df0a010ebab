import { describe, expect, it } from 'vitest';
import { ISSUE, testService } from '../service/support.ts';
import { manualClock } from '../support/manual-clock.ts';

describe('8 limits', () => {
  it('8 limit: 1 to 100, 10 where it is not said', async () => {
    const service = await testService();
    for (let count = 0; count < 101; count++) await service.create();
    const length = async (query: string) => {
      const { status, body } = await service.get(`/issues${query}`);
      return status === 200 && JSON.stringify(body).split('"uuid"').length - 1;
    };
    expect(await length('')).toBe(10);
    expect(await length('?limit=1')).toBe(1);
    expect(await length('?limit=100')).toBe(100);
    expect(await length('?limit=101')).toBe(false);
    expect(await length('?limit=0')).toBe(false);
  });

  it('8 title length: 1 to 500 characters, as people count them', async () => {
    const { post } = await testService();
    const status = async (title: string) => (await post('/issues', { ...ISSUE, title })).status;
    expect([
      await status(''),
      await status('a'),
      await status('a'.repeat(500)),
      await status('a'.repeat(501)),
    ]).toEqual([400, 201, 201, 400]);
    expect([await status('🔥'.repeat(500)), await status('🔥'.repeat(501))]).toEqual([201, 400]);
  });

  it('8 description, environment, question, search, environment filter: one character will do, none will not', async () => {
    const { post, get } = await testService();
    const statuses = async (text: string) => [
      (await post('/issues', { ...ISSUE, description: text })).status,
      (await post('/issues', { ...ISSUE, environment: text })).status,
      (await post('/query', { question: text })).status,
      (await get(`/issues?search=${text}`)).status,
      (await get(`/issues?environment=${text}`)).status,
    ];
    expect(await statuses('x')).toEqual([201, 201, 200, 200, 200]);
    expect(await statuses('')).toEqual([400, 400, 400, 400, 400]);
  });

  it('8 description, question: none is so long that it fails, and beyond 250,000 characters they are refused', async () => {
    const { post } = await testService();
    const statuses = async (text: string) => [
      (await post('/issues', { ...ISSUE, description: text })).status,
      (await post('/query', { question: text })).status,
      (await post('/query', { question: `The question:\n${text}`.slice(0, 250_000) })).status,
    ];
    const words = (separator: string) =>
      Array.from({ length: 130_000 }, (_, i) => (i + 17_576).toString(26).replaceAll(/\d/gu, 'z')).join(
        separator,
      );
    for (const text of ['x'.repeat(250_000), `last${' '.repeat(249_990)}x`, words(' ').slice(0, 250_000)])
      expect(await statuses(text)).toEqual([201, 200, 200]);
    expect(await statuses(words(' '))).toEqual([400, 400, 200]);
    expect(await post('/query', { question: 'x'.repeat(250_001) })).toMatchObject({
      status: 400,
      body: { details: { question: 'must have at most 250000 characters' } },
    });
  });

  it('8 artifact ids per request: at most 100', async () => {
    const { get } = await testService();
    expect((await get(`/artifacts?${'id=a&'.repeat(100)}`)).status).toBe(200);
    expect((await get(`/artifacts?${'id=a&'.repeat(101)}`)).status).toBe(400);
  });

  it('8 integer upper bound: 9007199254740991', async () => {
    const { create, get } = await testService();
    const { uuid } = await create();
    const status = async (path: string) => [
      (await get(`${path}9007199254740991`)).status,
      (await get(`${path}9007199254740992`)).status,
    ];
    expect(await status('/issues/by_number/')).toEqual([404, 400]);
    expect(await status(`/issues/${uuid}?version=`)).toEqual([404, 400]);
    expect(await status(`/issues/${uuid}/results?version=`)).toEqual([404, 400]);
  });

  it('8 rate limit: 429 beyond it, for each key, with the time when to come back', async () => {
    const clock = manualClock();
    const { get } = await testService({ clock, rateLimit: { requests: 2, windowMs: 10_000 } });
    expect((await get('/issues')).status).toBe(200);
    expect((await get('/nothing')).status).toBe(404);
    clock.advance(2500);
    const refused = await get('/issues');
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      429,
      '8',
      {
        type: 'invalid_request_error',
        message: 'Rate limit of 2 requests exceeded: slow down',
        request_id: refused.headers.get('x-request-id'),
      },
    ]);
    expect((await get('/issues', { key: 'globex-key' })).status).toBe(200);
    clock.advance(7500);
    expect((await get('/issues')).status).toBe(200);
  });

  it('8 rate limit: off unless it is set', async () => {
    const { get } = await testService();
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => (await get('/issues')).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

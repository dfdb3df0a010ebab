import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ISSUE, testService } from '../service/support.ts';
import { anyCodePoint } from '../support/code-point.ts';
import { runs } from '../support/property-runs.ts';

const json = { 'content-type': 'application/json' };

describe('whatever is sent', () => {
  it('is answered as openapi.json says, and never with a failure of the service', async () => {
    const logged: string[] = [];
    const log = {
      warn: () => undefined,
      error: (_: Record<string, unknown>, message: string) => logged.push(message),
    };
    const { call, create } = await testService({ log });
    const { uuid } = await create();
    const segment = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom('issues', 'by_number', 'results', 'artifacts', 'query', uuid, '1'),
      },
      { weight: 1, arbitrary: fc.string({ unit: anyCodePoint, minLength: 1, maxLength: 6 }) },
    );
    const name = fc.constantFrom(
      'limit',
      'status',
      'search',
      'version',
      'id',
      'startingAfter',
      'environment',
      'x',
    );
    const value = fc.oneof(
      fc.string({ unit: anyCodePoint, maxLength: 6 }),
      fc.constantFrom(uuid, '1', '-1', 'muted'),
    );
    const request = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'),
      segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
      query: fc.array(fc.tuple(name, value), { maxLength: 3 }),
      body: fc.oneof(fc.json({ maxDepth: 2 }), fc.string(), fc.constant(JSON.stringify(ISSUE))),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ method, segments, query, body }) => {
        const path = `/${segments.map(encodeURIComponent).join('/')}?${new URLSearchParams(query)}`;
        const { status } = await call(method, path, method === 'GET' ? {} : { body });
        expect(status).toBeLessThan(500);
      }),
      { numRuns: runs(300) },
    );
    expect(logged).toEqual([]);
  });

  it.each([
    ['application/json', 201],
    ['application/json; charset=utf-8', 201],
    ['Application/JSON', 201],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['', 415],
  ])('a body of the content type "%s" is answered with %i', async (type, status) => {
    const { call } = await testService();
    const answer = await call('POST', '/issues', { body: ISSUE, headers: { 'content-type': type } });
    expect(answer.status).toBe(status);
  });

  it('no body at all is a bad request', async () => {
    const { call } = await testService();
    expect((await call('POST', '/issues', { headers: json })).status).toBe(400);
    expect((await call('POST', '/issues', { body: '', headers: json })).status).toBe(400);
    expect((await call('POST', '/issues')).status).toBe(400);
  });

  it('a body may have 1 MB in any operation, and not more', async () => {
    const { call } = await testService();
    for (const [method, path] of [
      ['POST', '/issues'],
      ['POST', '/query'],
      ['DELETE', '/artifacts'],
    ] as const) {
      const body = JSON.stringify({ ...ISSUE, question: 'what is open?', context: { errorMessage: '' } });
      const filled = (size: number) =>
        body.replace('"errorMessage":""', `"errorMessage":"${'x'.repeat(size - body.length)}"`);
      const small = await call(method, path, { body: filled(1024 * 1024) });
      expect([200, 201, 405]).toContain(small.status);
      expect((await call(method, path, { body: filled(1024 * 1024 + 1) })).status).toBe(413);
    }
  });

  it.each([
    ['a byte that begins no character', [0xff]],
    ['a character that breaks off', [0xe2, 0x82]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a letter in Latin-1', [0xe4]],
  ])('a body that is not UTF-8 for %s is a bad request, and nothing is kept of it', async (_, bytes) => {
    const { call, get, create } = await testService();
    const { uuid } = await create();
    const [before, after] = JSON.stringify({ ...ISSUE, question: 'what is open?', title: '|' }).split('|');
    const body = Buffer.concat([Buffer.from(before ?? ''), Buffer.from(bytes), Buffer.from(after ?? '')]);
    for (const [method, path] of [
      ['POST', '/issues'],
      ['POST', '/query'],
      ['PATCH', `/issues/${uuid}`],
    ] as const) {
      expect(await call(method, path, { body })).toMatchObject({
        status: 400,
        body: { type: 'invalid_request_error', message: 'The request body is not valid UTF-8' },
      });
    }
    expect(await get('/issues')).toMatchObject({ body: { data: [{ uuid }] } });
    expect(
      (await call('POST', '/issues', { body: Buffer.from(JSON.stringify({ ...ISSUE, title: 'Prüfung €' })) }))
        .status,
    ).toBe(201);
  });
});

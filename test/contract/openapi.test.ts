import { expect, it } from 'vitest';
import { z } from 'zod';
import { ISSUE, testService } from '../service/support.ts';
import { describedBy, type SeenAnswer } from '../support/described.ts';

const Operation = z.looseObject({
  parameters: z.array(z.object({ $ref: z.string().optional(), name: z.string().optional() })),
  responses: z.record(z.string(), z.looseObject({ headers: z.record(z.string(), z.unknown()) })),
});
const Document = z.looseObject({
  openapi: z.string(),
  info: z.unknown(),
  servers: z.unknown(),
  security: z.unknown(),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});

it('is served without a key, at the root as below the base path, the same each time', async () => {
  const { service, get } = await testService();
  const below = await get('/openapi.json', { key: null });
  const root = await fetch(new URL('/openapi.json', service().url));
  expect([below.status, root.status]).toEqual([200, 200]);
  expect(root.headers.get('x-request-id')).toMatch(/^req_/u);
  expect(await root.json()).toEqual(below.body);
  expect((await get('/openapi.json')).body).toEqual(below.body);
  expect(below.body).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Issue Investigation Service', version: '2026-03-17' },
    servers: [{ url: '/api/v2' }],
    security: [{ apiKey: [] }],
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
  });
});

it('lists every operation of section 4 with its parameters and statuses', async () => {
  const { get } = await testService();
  const { paths } = Document.parse((await get('/openapi.json')).body);
  const listed = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters, responses }]) => [
      `${method} ${path}`,
      parameters.map(({ name, $ref = '' }) => name ?? $ref.split('/').at(-1)).join(' '),
      Object.keys(responses).join(' '),
    ]),
  );
  expect(listed).toEqual([
    [
      'get /issues',
      'limit startingAfter endingBefore status environment search ServiceVersion',
      '200 400 401 403 413 429 500',
    ],
    ['post /issues', 'ServiceVersion', '201 400 401 403 413 415 429 500'],
    ['patch /issues/{id}', 'id ServiceVersion', '200 400 401 403 404 413 415 429 500'],
    ['get /issues/{id}', 'id version ServiceVersion', '200 400 401 403 404 413 429 500'],
    ['delete /issues/{id}', 'id ServiceVersion', '204 400 401 403 404 413 429 500'],
    ['get /issues/by_number/{number}', 'number ServiceVersion', '200 400 401 403 404 413 429 500'],
    ['get /issues/{id}/results', 'id version ServiceVersion', '200 400 401 403 404 413 429 500'],
    ['get /artifacts', 'id ServiceVersion', '200 400 401 403 413 429 500'],
    ['post /query', 'ServiceVersion', '200 400 401 403 404 413 415 429 500'],
  ]);
  const headers = Object.values(paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ responses }) => Object.values(responses)),
  );
  expect(headers.filter((response) => !('X-Request-Id' in response.headers))).toEqual([]);
});

it('and every answer say which program this is, so that a client asks no other beyond the contract', async () => {
  const { get, service } = await testService();
  const { body, headers } = await get('/openapi.json');
  expect([body, headers.get('service-program')]).toMatchObject([
    { 'x-service-program': 'gumshoe' },
    'gumshoe',
  ]);
  const answers = await Promise.all(
    ['/issues', '/nowhere', '/issues?limit=x'].flatMap((path) => [get(path), get(path, { key: null })]),
  );
  answers.push(await get('/', { key: null }));
  expect(new Set(answers.map((answer) => answer.headers.get('service-program')))).toEqual(
    new Set(['gumshoe']),
  );
  const root = await fetch(new URL('/healthz', service().url));
  expect(root.headers.get('service-program')).toBe('gumshoe');
});

it('refers to nothing that it does not have', async () => {
  const { get } = await testService();
  const { body } = await get('/openapi.json');
  const pointers = Array.from(JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/gu), ([, at = '']) => at);
  const missing = pointers.filter((pointer) => {
    const at = pointer
      .split('/')
      .reduce((value: unknown, key) => z.record(z.string(), z.unknown()).parse(value)[key], body);
    return at === undefined;
  });
  expect(pointers).toContain('components/schemas/ErrorBody');
  expect(missing).toEqual([]);
});

it('is what the answers of this suite are held against: whatever is not described is found', async () => {
  const service = await testService();
  const { faults } = describedBy((await service.get('/openapi.json')).body);
  const { body, headers, status } = await service.post('/issues', ISSUE);
  const good: SeenAnswer = { method: 'POST', path: '/issues', status, headers, text: JSON.stringify(body) };
  const created = z.record(z.string(), z.unknown()).parse(body);
  const answer = (fields: object): SeenAnswer => ({
    ...good,
    text: JSON.stringify({ ...created, ...fields }),
  });
  const bare = new Headers({ 'content-type': 'application/json' });

  expect(faults(good)).toEqual([]);
  expect(faults(answer({ number: 0 }))).toEqual(['data/number must be >= 1']);
  expect(faults(answer({ uuid: undefined }))).toEqual(["data must have required property 'uuid'"]);
  expect(faults(answer({ colour: 'red' }))).toEqual(['data must NOT have additional properties']);
  expect(faults({ ...good, status: 200 })).toEqual(['the status 200 is not described']);
  expect(faults({ ...good, headers: bare })).toEqual([
    'X-Request-Id is missing',
    'Service-Program is missing',
  ]);
  expect(faults({ ...good, method: 'PUT' })).toEqual(['201 outside of the operations', expect.any(String)]);
  const error = { type: 'api_error', message: 'x', request_id: 'another' };
  expect(faults({ ...good, status: 429, text: JSON.stringify(error) })).toEqual([
    'request_id is not X-Request-Id',
    'Retry-After is missing',
  ]);
});

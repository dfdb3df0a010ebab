import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ISSUE, testService } from '../service/support.ts';
import { describeFields, types } from './fields.ts';
import { sampleAnswers } from './sample-answers.ts';

const UUID = '5f1d7c1e-9a53-4d0e-8f8e-0d6b6f0a1b2c';

const samples = sampleAnswers();

describeFields(
  '7',
  {
    type: z.literal(['api_error', 'invalid_request_error', 'authentication_error']),
    message: types.someText,
    request_id: types.someText,
    details: z.record(z.string(), types.someText).optional(),
  },
  () => [samples().failure],
);

describe('7 every failure has the error body of the contract', () => {
  const cases: [
    string,
    string,
    string,
    Parameters<Awaited<ReturnType<typeof testService>>['call']>[2],
    number,
    object,
  ][] = [
    ['an unknown route', 'GET', '/nothing', {}, 404, { message: 'No such path: /api/v2/nothing' }],
    ['a wrong method', 'PUT', '/issues', {}, 405, { message: '/api/v2/issues only supports GET, POST' }],
    [
      'no key',
      'GET',
      '/issues',
      { key: null },
      401,
      { type: 'authentication_error', message: 'Missing API key: send Authorization: Bearer <API_KEY>' },
    ],
    [
      'a wrong key',
      'GET',
      '/issues',
      { key: 'guess' },
      401,
      { type: 'authentication_error', message: 'The API key is invalid' },
    ],
    [
      'a name that every object has, as key',
      'GET',
      '/issues',
      { key: 'constructor' },
      401,
      { type: 'authentication_error', message: 'The API key is invalid' },
    ],
    [
      'malformed JSON',
      'POST',
      '/issues',
      { body: '{"title":' },
      400,
      { message: 'Malformed JSON in request body' },
    ],
    [
      'a body that is no object',
      'POST',
      '/issues',
      { body: '[]' },
      400,
      {
        message: 'Invalid request: body',
        details: { body: 'must be an object, not a list' },
      },
    ],
    [
      'a wrong content type',
      'POST',
      '/issues',
      { body: 'title=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      { message: 'The request body must be JSON (Content-Type: application/json)' },
    ],
    [
      'a body over 1 MB',
      'POST',
      '/issues',
      { body: { ...ISSUE, description: 'x'.repeat(1_100_000) } },
      413,
      { message: 'The request body is larger than 1 MB' },
    ],
    [
      'a version that is not spoken',
      'GET',
      '/issues',
      { headers: { 'service-version': '2020-01-01' } },
      400,
      {
        message: 'This service only supports version 2026-03-17',
        details: { 'Service-Version': 'must be 2026-03-17' },
      },
    ],
    [
      'an id that is no UUID',
      'GET',
      '/issues/12',
      {},
      400,
      { message: 'Invalid request: id', details: { id: 'must be a UUID in lowercase, 8-4-4-4-12' } },
    ],
    [
      'a UUID in capitals',
      'GET',
      `/issues/${UUID.toUpperCase()}`,
      {},
      400,
      { message: 'Invalid request: id', details: { id: 'must be a UUID in lowercase, 8-4-4-4-12' } },
    ],
    ['an unknown id', 'GET', `/issues/${UUID}`, {}, 404, { message: `The issue ${UUID} was not found` }],
    [
      'an unknown number',
      'GET',
      '/issues/by_number/9007199254740991',
      {},
      404,
      { message: 'Issue 9007199254740991 was not found' },
    ],
    [
      'a number beyond the bound',
      'GET',
      '/issues/by_number/9007199254740992',
      {},
      400,
      {
        message: 'Invalid request: number',
        details: { number: 'must be an integer of 1 to 9007199254740991' },
      },
    ],
    [
      'a version of zero',
      'GET',
      `/issues/${UUID}/results?version=0`,
      {},
      400,
      {
        message: 'Invalid request: version',
        details: { version: 'must be an integer of 1 to 9007199254740991' },
      },
    ],
    [
      'a limit beyond the bound',
      'GET',
      '/issues?limit=101',
      {},
      400,
      { message: 'Invalid request: limit', details: { limit: 'must be an integer of 1 to 100' } },
    ],
    [
      'an empty search',
      'GET',
      '/issues?search=',
      {},
      400,
      {
        message: 'Invalid request: search',
        details: { search: 'must not be empty' },
      },
    ],
    [
      'both cursors',
      'GET',
      `/issues?startingAfter=${UUID}&endingBefore=${UUID}`,
      {},
      400,
      {
        message: 'Invalid request: endingBefore',
        details: { endingBefore: 'cannot be given together with startingAfter' },
      },
    ],
    [
      'an unknown cursor',
      'GET',
      `/issues?startingAfter=${UUID}`,
      {},
      400,
      {
        message: 'startingAfter does not match any issue; it may have been deleted',
        details: { startingAfter: 'does not match any issue' },
      },
    ],
    [
      'too many artifacts',
      'GET',
      `/artifacts?${'id=a&'.repeat(101)}`,
      {},
      400,
      { message: 'Invalid request: id', details: { id: 'at most 100 ids' } },
    ],
    [
      'an unknown conversation',
      'POST',
      '/query',
      { body: { question: 'Well?', conversation_id: UUID } },
      404,
      { message: `The conversation ${UUID} was not found` },
    ],
    [
      'a stream that is not accepted',
      'POST',
      '/query',
      { body: { question: 'Well?', stream: true } },
      400,
      {
        message: 'Streaming requires the header Accept: text/event-stream',
        details: { stream: 'requires Accept: text/event-stream' },
      },
    ],
  ];

  it.each(cases)('%s', async (_name, method, path, options, status, rest) => {
    const { call } = await testService();
    const answer = await call(method, path, options);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: { type: 'invalid_request_error', ...rest, request_id: answer.headers.get('x-request-id') },
    });
    expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-f-]{36}$/u);
  });

  it('names every field that is wrong', async () => {
    const { post } = await testService();
    const answer = await post('/issues', {
      title: '',
      environment: 7,
      severity: 'fatal',
      triggeredAt: '2026-03-17 12:00',
      context: { tags: ['a', 1] },
    });
    expect(answer.body).toMatchObject({
      details: {
        title: 'must not be empty',
        description: 'is missing',
        environment: 'must be text, not a number',
        severity: 'must be low, medium or high',
        triggeredAt: 'must be an ISO 8601 date-time in UTC, such as 2026-03-17T09:30:00Z',
        'context.tags.1': 'must be text, not a number',
      },
    });
  });

  it('takes up a body in pieces up to 1 MB, and refuses a longer one; the connection stays usable', async () => {
    const { service, get } = await testService();
    const send = (size: number) =>
      fetch(`${service().url}/issues`, {
        method: 'POST',
        headers: { authorization: 'Bearer acme-key', 'content-type': 'application/json' },
        body: new Blob([JSON.stringify({ ...ISSUE, context: { errorMessage: 'x'.repeat(size) } })]).stream(),
        duplex: 'half',
      });
    expect((await send(1_000_000)).status).toBe(201);
    expect((await send(1_100_000)).status).toBe(413);
    expect((await get('/issues')).status).toBe(200);
  });

  it('says which methods a path has', async () => {
    const { call } = await testService();
    const answer = await call('POST', `/issues/${UUID}`);
    expect(answer.headers.get('allow')).toBe('PATCH, GET, DELETE');
  });
});

describe('what is not asked for', () => {
  it('answers with a request id where nothing failed, too', async () => {
    const { get } = await testService();
    const answer = await get('/issues', { headers: { 'service-version': '2026-03-17' } });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([
      200,
      expect.stringMatching(/^req_/u),
    ]);
  });
});

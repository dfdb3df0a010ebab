import { MockAgent } from 'undici';
import { describe, expect, test } from 'vitest';
import {
  CancelledError,
  RateLimitedError,
  RejectedError,
  ServiceError,
  TimedOutError,
  UnreachableError,
  UnreadableAnswerError,
} from '../../../src/contract/client/errors.ts';
import type { IssueCreate } from '../../../src/contract/schema.ts';
import { unusedAddress } from '../../support/scripted-service.ts';
import { API_KEY, all, errorOf, harness, UUID } from './harness.ts';

const CREATE: IssueCreate = { title: 'Disk full', description: 'on pay-db-2', environment: 'production' };

function facts(error: unknown): Record<string, unknown> {
  if (!(error instanceof ServiceError)) throw new Error('not a ServiceError', { cause: error });
  const { name, operation, status, type, requestId, details, ambiguous, bodyExcerpt, message } = error;
  return { name, operation, status, type, requestId, details, ambiguous, bodyExcerpt, message };
}

describe('what the service rejects', () => {
  test('becomes an error with everything that the error body says', async () => {
    await using h = await harness([
      {
        status: 422,
        json: {
          type: 'invalid_request_error',
          message: 'Validation failed',
          request_id: 'req_1',
          details: { title: 'too long' },
        },
      },
    ]);
    const error = await errorOf(h.client.issues.create(CREATE));
    expect(error).toBeInstanceOf(RejectedError);
    expect(facts(error)).toEqual({
      name: 'RejectedError',
      operation: 'issues.create',
      status: 422,
      type: 'invalid_request_error',
      requestId: 'req_1',
      details: { title: 'too long' },
      ambiguous: false,
      bodyExcerpt: null,
      message: 'issues.create: the service answered HTTP 422: Validation failed (request req_1)',
    });
    expect(h.calls).toEqual([
      { operation: 'issues.create', status: 422, ms: 0, requestId: 'req_1', outcome: 'RejectedError' },
    ]);
  });

  test('with an error page instead of an error body keeps the status, and the page for the log only', async () => {
    const page = `<html>${'x'.repeat(300)}</html>`;
    await using h = await harness([
      { status: 413, text: page, headers: { 'content-type': 'text/html', 'x-request-id': 'edge-9' } },
    ]);
    expect(facts(await errorOf(h.client.issues.create(CREATE)))).toEqual({
      name: 'RejectedError',
      operation: 'issues.create',
      status: 413,
      type: null,
      requestId: 'edge-9',
      details: null,
      ambiguous: false,
      bodyExcerpt: page.slice(0, 200),
      message: 'issues.create: the service answered HTTP 413 (request edge-9)',
    });
  });

  test('is said as far as an incomplete error body goes', async () => {
    await using h = await harness([
      { status: 400, json: { message: 'no', details: { title: 'empty', limit: 7 } } },
    ]);
    expect(facts(await errorOf(h.client.issues.page({})))).toMatchObject({
      status: 400,
      type: null,
      requestId: null,
      details: { title: 'empty' },
    });
  });

  test('is a redirect too, which is never followed with the key', async () => {
    await using h = await harness([
      { status: 302, text: '', headers: { location: 'https://elsewhere.test/' } },
    ]);
    expect(facts(await errorOf(h.client.issues.get(UUID)))).toMatchObject({
      name: 'RejectedError',
      status: 302,
    });
    expect(h.service.received).toHaveLength(1);
  });

  test('with 500 leaves it open whether an issue was created, and is not sent again', async () => {
    await using h = await harness([
      { status: 500, json: { type: 'api_error', message: 'oops', request_id: 'req_2' } },
    ]);
    expect(facts(await errorOf(h.client.issues.create(CREATE)))).toMatchObject({
      status: 500,
      ambiguous: true,
    });
    expect(h.service.received).toHaveLength(1);
  });
});

test('a rate limit that asks for too much patience is an error that says how much', async () => {
  await using h = await harness([
    {
      status: 429,
      headers: { 'retry-after': '120' },
      json: { type: 'api_error', message: 'slow down', request_id: 'req_3' },
    },
  ]);
  const error = await errorOf(h.client.issues.create(CREATE));
  expect(error).toBeInstanceOf(RateLimitedError);
  expect(error).toMatchObject({ retryAfterMs: 120_000, ambiguous: false, requestId: 'req_3', status: 429 });
});

describe('a service that does not answer', () => {
  test('on a refused connection cannot have created anything', async () => {
    const url = await unusedAddress();
    await using h = await harness([], { url });
    const error = await errorOf(h.client.issues.create(CREATE));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(facts(error)).toMatchObject({
      ambiguous: false,
      status: null,
      message:
        'issues.create: the service is unreachable [ECONNREFUSED]; check ISSUE_SERVICE_URL, the network and the proxy',
    });
    expect(h.calls.map((call) => call.outcome)).toEqual(Array(4).fill('UnreachableError'));
  });

  test('under an unknown name cannot have created anything', async () => {
    const dispatcher = new MockAgent();
    dispatcher.disableNetConnect();
    dispatcher
      .get('https://service.test')
      .intercept({ path: '/api/v2/issues', method: 'POST' })
      .replyWithError(Object.assign(new Error('getaddrinfo ENOTFOUND service.test'), { code: 'ENOTFOUND' }))
      .persist();
    await using h = await harness([], { url: 'https://service.test/api/v2', dispatcher });
    expect(facts(await errorOf(h.client.issues.create(CREATE)))).toMatchObject({
      name: 'UnreachableError',
      ambiguous: false,
    });
  });

  test('and breaks the connection may have created the issue, so that it is not sent again', async () => {
    await using h = await harness([{ instead: 'reset' }]);
    expect(facts(await errorOf(h.client.issues.create(CREATE)))).toMatchObject({
      name: 'UnreachableError',
      ambiguous: true,
    });
    expect(h.service.received).toHaveLength(1);
  });

  test('in time may have created the issue, and is not asked again', async () => {
    await using h = await harness([{ instead: 'hang' }], { timeoutMs: 50 });
    const error = await errorOf(h.client.issues.create(CREATE));
    expect(error).toBeInstanceOf(TimedOutError);
    expect(error).toMatchObject({ ambiguous: true });
    expect(h.service.received).toHaveLength(1);
  });

  test('to the end of its body runs out of time as well', async () => {
    await using h = await harness([{ json: { uuid: UUID }, after: 'hang' }], { timeoutMs: 100 });
    const error = errorOf(h.client.issues.create(CREATE));
    await expect.poll(() => h.service.received.length).toBe(1);
    h.runOut();
    expect(await error).toBeInstanceOf(TimedOutError);
  });

  test('with a whole body leaves a broken connection', async () => {
    await using h = await harness([
      {
        text: '{"uuid":',
        headers: { 'content-type': 'application/json', 'content-length': '100' },
        after: 'reset',
      },
    ]);
    expect(facts(await errorOf(h.client.issues.create(CREATE)))).toMatchObject({
      name: 'UnreachableError',
      ambiguous: true,
    });
  });
});

describe('an answer that cannot be read', () => {
  test('because it is no JSON keeps its first 200 characters out of the message', async () => {
    const page = `<!doctype html><title>Login</title>${'y'.repeat(400)}`;
    await using h = await harness([{ text: page, headers: { 'x-request-id': 'req_4' } }]);
    const error = await errorOf(h.client.issues.get(UUID));
    expect(error).toBeInstanceOf(UnreadableAnswerError);
    expect(facts(error)).toEqual({
      name: 'UnreadableAnswerError',
      operation: 'issues.get',
      status: 200,
      type: null,
      requestId: 'req_4',
      details: null,
      ambiguous: false,
      bodyExcerpt: page.slice(0, 200),
      message:
        "issues.get: the answer is not JSON; check that ISSUE_SERVICE_URL is the service's address with /api/v2 (request req_4)",
    });
    expect(h.calls[0]).toMatchObject({ status: 200, outcome: 'UnreadableAnswerError', requestId: 'req_4' });
  });

  test('because a required field is missing names the field, and may have created the issue', async () => {
    await using h = await harness([
      { status: 201, json: { number: 3, status: 'investigating' }, headers: { 'x-request-id': 'req_5' } },
    ]);
    expect(await errorOf(h.client.issues.create(CREATE))).toMatchObject({
      name: 'UnreadableAnswerError',
      field: 'uuid',
      ambiguous: true,
      requestId: 'req_5',
      bodyExcerpt: '',
      message: expect.stringContaining("the answer's uuid"),
    });
  });

  test('because it is empty', async () => {
    await using h = await harness([{ status: 204 }]);
    expect(await errorOf(h.client.issues.get(UUID))).toBeInstanceOf(UnreadableAnswerError);
  });
});

describe('a cancelled call', () => {
  test('ends at once, and may have had its effect', async () => {
    await using h = await harness([{ instead: 'hang' }]);
    const controller = new AbortController();
    const call = errorOf(h.client.issues.create(CREATE, controller.signal));
    await expect.poll(() => h.service.received.length).toBe(1);
    controller.abort();
    const error = await call;
    expect(error).toBeInstanceOf(CancelledError);
    expect(error).toMatchObject({ ambiguous: true });
  });

  test('that was cancelled before has not been sent', async () => {
    await using h = await harness([]);
    const error = await errorOf(h.client.issues.create(CREATE, AbortSignal.abort()));
    expect(error).toBeInstanceOf(CancelledError);
    expect(error).toMatchObject({ ambiguous: false });
    expect(h.service.received).toEqual([]);
  });

  test('is what closing the client does to all that is under way', async () => {
    await using h = await harness([{ instead: 'hang' }]);
    const call = errorOf(h.client.issues.get(UUID));
    await expect.poll(() => h.service.received.length).toBe(1);
    await h.client.close();
    expect(await call).toBeInstanceOf(CancelledError);
  });
});

test('no error shows the API key, not even where the service echoes it', async () => {
  const echo = `bad header: Bearer ${API_KEY}`;
  await using h = await harness([
    { status: 400, text: echo },
    { text: echo },
    { chunks: [`event: error\ndata: ${JSON.stringify({ message: echo })}\n\n`] },
    {
      status: 401,
      json: { type: 'authentication_error', message: echo, request_id: 'r', details: { key: echo } },
    },
  ]);
  const errors = [
    await errorOf(h.client.issues.get(UUID)),
    await errorOf(h.client.issues.get(UUID)),
    await errorOf(all(h.client.query.stream({ question: 'why?' }))),
    await errorOf(h.client.issues.get(UUID)),
  ];
  for (const error of errors) {
    expect(JSON.stringify(facts(error))).toContain('[key]');
    expect(JSON.stringify([facts(error), Object(error).cause, Object(error).stack])).not.toContain(API_KEY);
  }
});

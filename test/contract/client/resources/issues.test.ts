import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../support/scripted-service.ts';
import { API_KEY, all, errorOf, harness, summary, UUID } from '../harness.ts';

const DETAIL = { uuid: UUID, number: 12, status: 'resolved', triggeredAt: '2026-03-17T11:59:00.123456Z' };

function page(numbers: number[], more: { has_more?: boolean; after?: string; before?: string } = {}): Reply {
  return { json: { object: 'list', data: numbers.map(summary), has_more: false, ...more } };
}

function numbersOf(issues: Array<{ number: number }>): number[] {
  return issues.map(({ number }) => number);
}

describe('every call', () => {
  test('bears the key and the version, and asks for JSON', async () => {
    await using h = await harness([{ json: DETAIL }]);
    await h.client.issues.get(UUID);
    expect(h.service.received[0]?.headers).toMatchObject({
      authorization: `Bearer ${API_KEY}`,
      'service-version': '2026-03-17',
      accept: 'application/json',
    });
  });

  test('is reported with its status, its time and the request id', async () => {
    await using h = await harness([{ json: DETAIL, headers: { 'x-request-id': 'req_1' } }]);
    await h.client.issues.get(UUID);
    expect(h.calls).toEqual([
      { operation: 'issues.get', status: 200, ms: 0, requestId: 'req_1', outcome: 'ok' },
    ]);
  });
});

describe('issues', () => {
  test('are created from a body that goes over the wire as it is', async () => {
    const created = { uuid: UUID, number: 1, status: 'investigating', latestVersion: 1 };
    const body = {
      title: 'Disk full 🔥',
      description: 'on pay-db-2',
      environment: 'production',
      severity: 'high',
      triggeredAt: '2026-03-17T11:59Z',
      context: { service: 'payments', tags: ['db'], metadata: { permalink: 'https://x.test/1' } },
    } as const;
    await using h = await harness([{ status: 201, json: created }]);
    expect(await h.client.issues.create({ ...body, context: { ...body.context, tags: ['db'] } })).toEqual(
      created,
    );
    const [received] = h.service.received;
    expect(received).toMatchObject({ method: 'POST', path: '/api/v2/issues' });
    expect(received?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(received?.body ?? '')).toEqual(body);
  });

  test.each([
    ['by id', '/api/v2/issues/3f0c6a52-9d1b-4c11-8a55-0b7f0a1c2d3e', undefined],
    ['in a version', '/api/v2/issues/3f0c6a52-9d1b-4c11-8a55-0b7f0a1c2d3e?version=2', 2],
  ])('are fetched %s, with the id in lower case', async (_, path, version) => {
    await using h = await harness([{ json: DETAIL }]);
    expect(await h.client.issues.get(UUID.toUpperCase(), { version })).toEqual(DETAIL);
    expect(h.service.received[0]).toMatchObject({ method: 'GET', path, body: '' });
  });

  test('are fetched by number', async () => {
    await using h = await harness([{ json: DETAIL }]);
    expect(await h.client.issues.byNumber(12)).toEqual(DETAIL);
    expect(h.service.received[0]?.path).toBe('/api/v2/issues/by_number/12');
  });

  test('have their status set', async () => {
    await using h = await harness([{ json: DETAIL }]);
    expect(await h.client.issues.update(UUID, 'resolved')).toEqual(DETAIL);
    expect(h.service.received[0]).toMatchObject({
      method: 'PATCH',
      path: `/api/v2/issues/${UUID}`,
      body: '{"status":"resolved"}',
    });
  });

  test('have results, of which everything may be missing', async () => {
    await using h = await harness([{ json: {} }, { json: { rootCause: { rootCauseSummary: 'The pool' } } }]);
    expect(await h.client.issues.results(UUID)).toEqual({});
    expect(await h.client.issues.results(UUID, { version: 3 })).toEqual({
      rootCause: { rootCauseSummary: 'The pool' },
    });
    expect(h.service.received.map(({ path }) => path)).toEqual([
      `/api/v2/issues/${UUID}/results`,
      `/api/v2/issues/${UUID}/results?version=3`,
    ]);
  });

  test.each([200, 202, 204])('are deleted by an answer of %i without a body', async (status) => {
    await using h = await harness([{ status }]);
    await h.client.issues.delete(UUID);
    expect(h.service.received[0]).toMatchObject({
      method: 'DELETE',
      path: `/api/v2/issues/${UUID}`,
      body: '',
    });
  });
});

describe('a page of issues', () => {
  test('is asked for with every filter, encoded', async () => {
    await using h = await harness([page([1])]);
    await h.client.issues.page({
      limit: 5,
      startingAfter: 'a',
      endingBefore: 'b',
      status: 'muted',
      environment: 'eu & us',
      search: 'é=1',
    });
    expect(h.service.received[0]?.path).toBe(
      '/api/v2/issues?limit=5&startingAfter=a&endingBefore=b&status=muted&environment=eu+%26+us&search=%C3%A9%3D1',
    );
  });

  test('is asked for without what is not filtered by', async () => {
    await using h = await harness([page([])]);
    await h.client.issues.page({ search: '', environment: undefined });
    expect(h.service.received[0]?.path).toBe('/api/v2/issues');
  });

  test('loses a bad element, not the others, and reports it', async () => {
    const bad = { ...summary(2), uuid: null };
    await using h = await harness([
      { json: { object: 'list', data: [summary(1), bad, summary(3)], has_more: false } },
    ]);
    expect(numbersOf((await h.client.issues.page({})).data)).toEqual([1, 3]);
    expect(h.drops).toEqual([{ operation: 'issues.page', requestId: null, paths: ['data.1'] }]);
  });

  test.each(['object', 'data', 'has_more'])('without `%s` is an error', async (field) => {
    const whole = { object: 'list', data: [], has_more: false };
    await using h = await harness([{ json: { ...whole, [field]: undefined } }]);
    expect(await errorOf(h.client.issues.page({}))).toMatchObject({ name: 'UnreadableAnswerError', field });
  });
});

describe('walking through issues', () => {
  test('follows the cursor forwards, a hundred at a time', async () => {
    await using h = await harness([page([5, 4], { has_more: true, after: 'c1' }), page([3])]);
    expect(numbersOf(await all(h.client.issues.list({ status: 'investigating' })))).toEqual([5, 4, 3]);
    expect(h.service.received.map(({ path }) => path)).toEqual([
      '/api/v2/issues?limit=100&status=investigating',
      '/api/v2/issues?limit=100&startingAfter=c1&status=investigating',
    ]);
  });

  test('follows the cursor backwards, nearest first', async () => {
    await using h = await harness([page([5, 4], { has_more: true, before: 'c5' }), page([7, 6])]);
    expect(numbersOf(await all(h.client.issues.list({ limit: 2, endingBefore: 'c3' })))).toEqual([
      4, 5, 6, 7,
    ]);
    expect(h.service.received.map(({ path }) => path)).toEqual([
      '/api/v2/issues?limit=2&endingBefore=c3',
      '/api/v2/issues?limit=2&endingBefore=c5',
    ]);
  });

  test('goes on from the last issue where the page names no cursor', async () => {
    await using h = await harness([page([5, 4], { has_more: true }), page([3])]);
    await all(h.client.issues.list({}));
    expect(h.service.received[1]?.path).toContain(`startingAfter=${summary(4).uuid}`);
  });

  test('asks for no page that nobody reads', async () => {
    await using h = await harness([page([5, 4], { has_more: true, after: 'c1' })]);
    for await (const { number } of h.client.issues.list({})) if (number === 4) break;
    expect(h.service.received).toHaveLength(1);
  });

  test.each([
    [
      'repeats itself',
      [page([5], { has_more: true, after: 'c' }), page([5], { has_more: true, after: 'c' })],
    ],
    ['is missing', [page([], { has_more: true })]],
    ['stands on an empty page', [page([], { has_more: true, after: 'c' }), page([5])]],
  ])('ends with an error where the cursor %s', async (_, replies) => {
    await using h = await harness(replies);
    expect(await errorOf(all(h.client.issues.list({})))).toMatchObject({ name: 'UnreadableAnswerError' });
  });

  test('passes a failure on', async () => {
    await using h = await harness([
      page([5], { has_more: true, after: 'gone' }),
      { status: 400, json: { type: 'invalid_request_error', message: 'unknown cursor', request_id: 'r' } },
    ]);
    expect(await errorOf(all(h.client.issues.list({})))).toMatchObject({
      status: 400,
      reason: 'unknown cursor',
    });
  });
});

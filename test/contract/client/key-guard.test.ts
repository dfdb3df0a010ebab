import { describe, expect, it } from 'vitest';
import { KeyRefusedError, RejectedError, UnreachableError } from '../../../src/contract/client/errors.ts';
import type { Reply } from '../../support/scripted-service.ts';
import { errorOf, harness, UUID } from './harness.ts';

const body = { type: 'authentication_error', message: 'no', request_id: 'req_1' };
const no401: Reply = { status: 401, json: body };
const no403: Reply = { status: 403, json: body };
const page: Reply = { json: { object: 'list', data: [], has_more: false } };
const created: Reply = { json: { uuid: UUID, number: 1, status: 'investigating' } };
const request = { title: 'CPU', description: 'CPU is high', environment: 'production' };

describe('a key that the service refuses', () => {
  it.each([
    [401, no401],
    [403, no403],
  ] as const)('with %i, as the cheapest read proves, stops every call', async (status, no) => {
    await using test = await harness([no, no]);
    const { issues, query, artifacts } = test.client;
    expect(await errorOf(issues.create(request))).toBeInstanceOf(RejectedError);
    expect(test.service.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/v2/issues',
      'GET /api/v2/issues?limit=1',
    ]);
    for (const call of [
      () => issues.create(request),
      () => issues.get(UUID),
      () => query.ask({ question: 'why?' }),
      () => artifacts.get(['a']),
    ]) {
      expect(await errorOf(call())).toMatchObject({
        name: 'KeyRefusedError',
        refusal: status,
        ambiguous: false,
      });
    }
    expect(test.service.received).toHaveLength(2);
    expect(test.client.health()).toMatchObject({ key: { status, since: test.clock.now() } });
  });

  it('is proved once a minute, whoever calls; when it is taken again, the call goes on', async () => {
    await using test = await harness([no401, no401, no401, page, created]);
    const { issues } = test.client;
    await errorOf(issues.create(request));
    const since = test.clock.now();
    await test.clock.sleep(59_999);
    expect(await errorOf(issues.create(request))).toMatchObject({ retryAfterMs: 1 });
    expect(test.service.received).toHaveLength(2);
    await test.clock.sleep(1);
    expect(await errorOf(issues.create(request))).toBeInstanceOf(KeyRefusedError);
    expect(test.client.health().key).toEqual({ status: 401, since });
    expect(test.service.received).toHaveLength(3);
    await test.clock.sleep(60_000);
    expect(await issues.create(request)).toMatchObject({ number: 1 });
    expect(test.client.health()).toMatchObject({ key: null, refused: new Map() });
    expect(test.service.received).toHaveLength(5);
  });

  it('is proved once for all who call at that moment', async () => {
    await using test = await harness([no401, no401, no401]);
    await errorOf(test.client.issues.get(UUID));
    await test.clock.sleep(60_000);
    await Promise.all([1, 2, 3].map(() => errorOf(test.client.issues.get(UUID))));
    expect(test.service.received).toHaveLength(3);
  });
});

describe('one operation that the service refuses', () => {
  it('stops nothing else, and the key is not proved for each refusal', async () => {
    await using test = await harness([no403, page, created, no403, created]);
    const { issues } = test.client;
    const since = test.clock.now();
    expect(await errorOf(issues.delete(UUID))).toMatchObject({ status: 403 });
    expect(await issues.create(request)).toMatchObject({ number: 1 });
    expect(await errorOf(issues.delete(UUID))).toMatchObject({ status: 403 });
    expect(await issues.create(request)).toMatchObject({ number: 1 });
    expect(test.client.health()).toMatchObject({
      key: null,
      refused: new Map([['issues.delete', since]]),
      working: new Set(['issues.page', 'issues.create']),
    });
  });

  it('is no proof where the service does not answer the read', async () => {
    await using test = await harness([no401, { instead: 'reset' }, created]);
    await errorOf(test.client.issues.create(request));
    expect(test.client.health().key).toBeNull();
    expect(await test.client.issues.create(request)).toMatchObject({ number: 1 });
  });
});

describe('how the service stands', () => {
  it('is failing since the first of its failures, and works after the next answer', async () => {
    await using test = await harness([
      { status: 500, json: body },
      { status: 502, text: 'bad gateway' },
      { status: 400, json: body },
    ]);
    const { issues } = test.client;
    await errorOf(issues.create(request));
    const since = test.clock.now();
    await test.clock.sleep(5_000);
    await errorOf(issues.create(request));
    expect(test.client.health()).toMatchObject({ filing: { since, reason: 'failing' }, reading: null });
    // To refuse what was said is an answer.
    await errorOf(issues.create(request));
    expect(test.client.health()).toMatchObject({ filing: null });
  });

  it('tells a service that cannot be read from one that takes no issues', async () => {
    await using test = await harness([created, { text: '<html></html>' }]);
    await test.client.issues.create(request);
    await errorOf(test.client.issues.page({}));
    expect(test.client.health()).toMatchObject({ filing: null, reading: { reason: 'unreadable' } });
  });

  it('is not told by a call that nobody could answer in time to be cancelled', async () => {
    await using test = await harness([{ instead: 'hang' }]);
    const cut = new AbortController();
    const call = errorOf(test.client.issues.create(request, cut.signal));
    cut.abort();
    expect(await call).not.toBeInstanceOf(UnreachableError);
    expect(test.client.health()).toMatchObject({ filing: null });
  });
});

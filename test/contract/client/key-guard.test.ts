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

describe('a key that the service rejects', () => {
  it('stops every call', async () => {
    await using test = await harness([no401]);
    const { issues, query, artifacts } = test.client;
    expect(await errorOf(issues.create(request))).toBeInstanceOf(RejectedError);
    for (const call of [
      () => issues.create(request),
      () => issues.get(UUID),
      () => query.ask({ question: 'why?' }),
      () => artifacts.get(['a']),
    ]) {
      expect(await errorOf(call())).toMatchObject({ name: 'KeyRefusedError', ambiguous: false });
    }
    expect(test.service.received).toHaveLength(1);
    expect(test.client.health()).toMatchObject({ key: { since: test.clock.now() } });
  });

  it('is tried once a minute, by whoever calls; when it is accepted again, everything is sent', async () => {
    await using test = await harness([no401, no401, page, created]);
    const { issues } = test.client;
    await errorOf(issues.create(request));
    const since = test.clock.now();
    await test.clock.sleep(59_999);
    expect(await errorOf(issues.create(request))).toMatchObject({ retryAfterMs: 1 });
    await test.clock.sleep(1);
    const [tried, ...others] = await Promise.all([1, 2, 3].map(() => errorOf(issues.get(UUID))));
    expect(tried).toBeInstanceOf(RejectedError);
    expect(others.every((error) => error instanceof KeyRefusedError)).toBe(true);
    expect(test.client.health().key).toEqual({ since });
    expect(test.service.received).toHaveLength(2);
    await test.clock.sleep(60_000);
    await issues.page({});
    expect(await issues.create(request)).toMatchObject({ number: 1 });
    expect(test.client.health()).toMatchObject({ key: null, refused: new Map() });
  });
});

describe('one operation that the service refuses', () => {
  it('stops nothing else', async () => {
    await using test = await harness([no403, created, no403, created]);
    const { issues } = test.client;
    const since = test.clock.now();
    expect(await errorOf(issues.delete(UUID))).toMatchObject({ status: 403 });
    expect(await issues.create(request)).toMatchObject({ number: 1 });
    expect(await errorOf(issues.delete(UUID))).toMatchObject({ status: 403 });
    expect(await issues.create(request)).toMatchObject({ number: 1 });
    expect(test.client.health()).toMatchObject({
      key: null,
      refused: new Map([['issues.delete', since]]),
      working: new Set(['issues.create']),
    });
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

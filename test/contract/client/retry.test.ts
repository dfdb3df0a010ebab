import { describe, expect, test } from 'vitest';
import { RateLimitedError, RejectedError } from '../../../src/contract/client/errors.ts';
import type { IssueCreate } from '../../../src/contract/schema.ts';
import type { Reply } from '../../support/scripted-service.ts';
import { errorOf, harness, UUID } from './harness.ts';

const CREATE: IssueCreate = { title: 'Disk full', description: 'on pay-db-2', environment: 'production' };
const CREATED: Reply = { status: 201, json: { uuid: UUID, number: 1, status: 'investigating' } };
const DETAIL: Reply = { json: { uuid: UUID, number: 1, status: 'resolved' } };
const BROKEN: Reply = { status: 503, json: { type: 'api_error', message: 'busy', request_id: 'r' } };
const LIMITED: Reply = { status: 429, json: { type: 'api_error', message: 'slow down', request_id: 'r' } };

function limited(retryAfter: string): Reply {
  return { ...LIMITED, headers: { 'retry-after': retryAfter } };
}

describe('a call that only reads', () => {
  test('is sent again after a failure that may pass, with growing waits', async () => {
    await using h = await harness([BROKEN, { instead: 'reset' }, BROKEN, DETAIL]);
    expect(await h.client.issues.get(UUID)).toEqual(DETAIL.json);
    expect(h.clock.slept).toEqual([250, 500, 1000]);
    expect(h.calls.map((call) => call.outcome)).toEqual([
      'RejectedError',
      'UnreachableError',
      'RejectedError',
      'ok',
    ]);
  });

  test('waits by chance up to twice as long, so that callers spread', async () => {
    await using h = await harness([BROKEN, DETAIL], { random: () => 0.5 });
    await h.client.issues.get(UUID);
    expect(h.clock.slept).toEqual([375]);
  });

  test('gives up after three repeats with the last failure', async () => {
    await using h = await harness([BROKEN, BROKEN, BROKEN, BROKEN, DETAIL]);
    expect(await errorOf(h.client.issues.get(UUID))).toBeInstanceOf(RejectedError);
    expect(h.service.received).toHaveLength(4);
  });

  test('is sent again when the answer did not come in time', async () => {
    await using h = await harness([{ instead: 'hang' }, DETAIL], { timeoutMs: 50 });
    expect(await h.client.issues.get(UUID)).toEqual(DETAIL.json);
  });

  test.each([400, 401, 403, 404, 422])('is not sent again after %i', async (status) => {
    await using h = await harness([{ status, json: {} }]);
    expect(await errorOf(h.client.issues.get(UUID))).toMatchObject({ status });
    const sent = h.service.received.filter(({ path }) => path.endsWith(UUID));
    expect(sent).toHaveLength(1);
  });

  test('stops waiting when it is cancelled', async () => {
    const controller = new AbortController();
    await using h = await harness([BROKEN, DETAIL], {
      clock: {
        now: () => 0,
        sleep: async (_, signal) => {
          controller.abort();
          signal?.throwIfAborted();
        },
      },
    });
    expect(await errorOf(h.client.issues.get(UUID, {}, controller.signal))).toMatchObject({
      name: 'CancelledError',
      ambiguous: false,
    });
    expect(h.service.received).toHaveLength(1);
  });
});

describe('creating an issue', () => {
  test('is sent again after a rate limit, when the service says so', async () => {
    await using h = await harness([limited('7'), CREATED]);
    expect(await h.client.issues.create(CREATE)).toEqual(CREATED.json);
    expect(h.clock.slept).toEqual([7_000]);
  });

  test('is sent again after a rate limit that names a date', async () => {
    await using h = await harness([limited('Tue, 17 Mar 2026 12:00:12 GMT'), CREATED]);
    await h.client.issues.create(CREATE);
    expect(h.clock.slept).toEqual([12_000]);
  });

  test('is sent again after a rate limit that says nothing, with growing waits', async () => {
    await using h = await harness([LIMITED, LIMITED, CREATED]);
    await h.client.issues.create(CREATE);
    expect(h.clock.slept).toEqual([250, 500]);
  });

  test('gives up when the rate limit lasts', async () => {
    await using h = await harness([LIMITED, LIMITED, LIMITED, LIMITED]);
    expect(await errorOf(h.client.issues.create(CREATE))).toBeInstanceOf(RateLimitedError);
    expect(h.service.received).toHaveLength(4);
  });
});

describe('setting a status', () => {
  test('is sent again after a broken connection, because a repeat changes nothing', async () => {
    await using h = await harness([{ instead: 'reset' }, DETAIL]);
    expect(await h.client.issues.update(UUID, 'resolved')).toEqual(DETAIL.json);
  });

  test('is not sent again where it may have begun an investigation, which a repeat could begin once more', async () => {
    await using h = await harness([{ instead: 'reset' }, DETAIL]);
    expect(await errorOf(h.client.issues.update(UUID, 'investigating'))).toMatchObject({ ambiguous: true });
    expect(h.service.received).toHaveLength(1);
  });
});

describe('deleting', () => {
  test('has succeeded when a repeat after a broken connection finds nothing', async () => {
    await using h = await harness([{ instead: 'reset' }, { status: 404, json: {} }]);
    await h.client.issues.delete(UUID);
    expect(h.service.received.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });

  test('fails when there was nothing to delete', async () => {
    await using h = await harness([{ status: 404, json: {} }]);
    expect(await errorOf(h.client.issues.delete(UUID))).toMatchObject({ status: 404 });
  });

  test('fails when nothing is found after a rate limit, which deletes nothing', async () => {
    await using h = await harness([LIMITED, { status: 404, json: {} }]);
    expect(await errorOf(h.client.issues.delete(UUID))).toMatchObject({ status: 404 });
  });
});

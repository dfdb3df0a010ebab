import { describe, expect, test } from 'vitest';
import type { ServiceClient } from '../../../src/contract/client/client.ts';
import { all, errorOf, harness, UUID } from './harness.ts';

const CREATE = { title: 'Disk full', description: 'on pay-db-2', environment: 'production' };
const DETAIL = { uuid: UUID, number: 9007199254740991, status: 'muted' };
const PAGE = { object: 'list', data: [], has_more: false };
const BEYOND = 9007199254740992;

type Calling = (client: ServiceClient) => Promise<unknown>;

describe('what the contract does not allow is not sent, and the field is named', () => {
  test.each<[string, string, Calling]>([
    ['issues.page', 'limit', ({ issues }) => issues.page({ limit: 0 })],
    ['issues.page', 'limit', ({ issues }) => issues.page({ limit: 101 })],
    ['issues.page', 'limit', ({ issues }) => issues.page({ limit: 1.5 })],
    ['issues.page', 'startingAfter', ({ issues }) => issues.page({ startingAfter: '' })],
    ['issues.page', 'endingBefore', ({ issues }) => issues.page({ endingBefore: '' })],
    ['issues.page', 'limit', ({ issues }) => all(issues.list({ limit: 101 }))],
    ['issues.create', 'title', ({ issues }) => issues.create({ ...CREATE, title: '' })],
    ['issues.create', 'title', ({ issues }) => issues.create({ ...CREATE, title: 'x'.repeat(501) })],
    ['issues.create', 'description', ({ issues }) => issues.create({ ...CREATE, description: '' })],
    ['issues.create', 'environment', ({ issues }) => issues.create({ ...CREATE, environment: '' })],
    ['issues.create', 'triggeredAt', ({ issues }) => issues.create({ ...CREATE, triggeredAt: 'noon' })],
    [
      'issues.create',
      'triggeredAt',
      ({ issues }) => issues.create({ ...CREATE, triggeredAt: '2026-03-17T12:00:00+01:00' }),
    ],
    ['issues.byNumber', 'number', ({ issues }) => issues.byNumber(0)],
    ['issues.byNumber', 'number', ({ issues }) => issues.byNumber(BEYOND)],
    ['issues.get', 'id', ({ issues }) => issues.get('')],
    ['issues.get', 'version', ({ issues }) => issues.get(UUID, { version: 0 })],
    ['issues.results', 'version', ({ issues }) => issues.results(UUID, { version: BEYOND })],
    ['issues.update', 'id', ({ issues }) => issues.update('', 'muted')],
    ['issues.delete', 'id', ({ issues }) => issues.delete('')],
    ['query.ask', 'question', ({ query }) => query.ask({ question: '' })],
    ['query.stream', 'question', ({ query }) => all(query.stream({ question: '' }))],
  ])('%s: %s', async (operation, field, call) => {
    await using h = await harness([]);
    expect(await errorOf(call(h.client))).toMatchObject({
      name: 'UnsendableError',
      operation,
      ambiguous: false,
      status: null,
      details: { [field]: expect.any(String) },
    });
    expect(h.service.received).toEqual([]);
  });

  test('with all that is wrong in the message', async () => {
    await using h = await harness([]);
    const error = await errorOf(h.client.issues.create({ ...CREATE, title: '', environment: '' }));
    expect(Object(error).message).toBe(
      'issues.create: not sent, because the contract does not allow it (title: must not be empty; environment: must not be empty)',
    );
  });
});

describe('what the contract just allows is sent', () => {
  test.each<[string, unknown, Calling]>([
    ['/issues?limit=1', PAGE, ({ issues }) => issues.page({ limit: 1 })],
    ['/issues?limit=100', PAGE, ({ issues }) => issues.page({ limit: 100 })],
    ['/issues/by_number/9007199254740991', DETAIL, ({ issues }) => issues.byNumber(9007199254740991)],
    [
      `/issues/${UUID}?version=9007199254740991`,
      DETAIL,
      ({ issues }) => issues.get(UUID, { version: 9007199254740991 }),
    ],
    ['/issues', DETAIL, ({ issues }) => issues.create({ ...CREATE, title: 'x'.repeat(500) })],
  ])('%s', async (path, json, call) => {
    await using h = await harness([{ json }]);
    expect(await call(h.client)).toEqual(json);
    expect(h.service.received[0]?.path).toBe(`/api/v2${path}`);
  });
});

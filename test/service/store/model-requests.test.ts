import { expect, it, onTestFinished } from 'vitest';
import { openStore, type Store } from '../../../src/service/store/store.ts';
import { onPostgres } from '../../support/postgres/databases.ts';
import { emptyDatabase } from '../support.ts';

const NOW = Date.parse('2026-03-17T12:00:00Z');
const REQUEST = {
  organization: 'acme',
  issue: 7,
  purpose: 'route',
  model: 'scripted',
  host: 'model.example.com',
  reserved: 400,
  digest: 'abc',
  payload: null,
};

async function opened(): Promise<Store> {
  const location = onPostgres
    ? { ...(await emptyDatabase()), onConnectionLost: () => undefined }
    : { file: ':memory:' };
  const store = await openStore(location);
  onTestFinished(() => store.close());
  return store;
}

it('of ten at once, as many get tokens as the day has', async () => {
  const { modelRequests } = await opened();
  const ids = await Promise.all(
    Array.from({ length: 10 }, () => modelRequests.reserve(REQUEST, { ceiling: 1_000, now: NOW })),
  );
  expect(ids.filter((id) => id !== null)).toHaveLength(2);
  expect(await modelRequests.spentOn(NOW)).toBe(800);
});

it('what was not taken is free again, and the next day begins anew', async () => {
  const { modelRequests } = await opened();
  const id = await modelRequests.reserve(REQUEST, { ceiling: 1_000, now: NOW });
  await modelRequests.settle(id ?? '', { tokens: 50, ms: 10, outcome: 'answered' });
  expect(await modelRequests.spentOn(NOW)).toBe(50);
  expect(await modelRequests.spentOn(NOW + 24 * 3_600_000)).toBe(0);
});

it('what was sent is erased after its time, and with its issue; that it was sent remains', async () => {
  const store = await opened();
  const send = (issue: number, now: number) =>
    store.modelRequests.reserve({ ...REQUEST, issue, payload: '{}' }, { ceiling: 10_000, now });
  const erased = () => store.transaction((tx) => tx.sweep.modelPayloads(NOW, 10));
  await send(7, NOW - 1);
  await send(7, NOW);
  expect([await erased(), await erased()]).toEqual([1, 0]);
  await send(8, NOW - 1);
  await store.modelRequests.forget('acme', 8);
  expect(await erased()).toBe(0);
  expect(await store.modelRequests.spentOn(NOW)).toBe(1_200);
});

it('deleting an issue erases what was sent of it with other questions, and nothing else', async () => {
  const store = await opened();
  const send = (payload: string) =>
    store.modelRequests.reserve({ ...REQUEST, issue: null, payload }, { ceiling: 10_000, now: NOW });
  await send('Open issues: #12 Refunds fail\\n#123 Logins fail');
  await send('Why is issue 12 slow?');
  await send('Open issues: #123 Logins fail');
  await store.modelRequests.forget('acme', 12);
  const left = () => store.transaction((tx) => tx.sweep.modelPayloads(NOW + 1, 10));
  expect(await left()).toBe(1);
});

import { expect, it, onTestFinished } from 'vitest';
import { openTestStore } from '../../support/open-test-store.ts';

it('a body that is sent again at once is one delivery; after another of its source, or five minutes, it is a new one', async () => {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { webhooks } = opened.store;
  const add = (body: string, at: number, source = 'grafana') =>
    webhooks.add({ source, body, headers: {}, at: 1_000_000 + at });
  expect(await add('fires', 0)).toBe(true);
  expect(await add('fires', 10)).toBe(false);
  expect(await add('of another tool', 20, 'sentry')).toBe(true);
  expect(await add('fires', 30)).toBe(false);
  expect(await add('recovers', 40)).toBe(true);
  expect(await add('fires', 50)).toBe(true);
  expect(await add('fires', 50 + 5 * 60_000)).toBe(true);
});

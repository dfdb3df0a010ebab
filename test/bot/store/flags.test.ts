import { expect, it } from 'vitest';
import { openTestStore } from '../../support/open-test-store.ts';
import { seeder } from './sweep/seeding.ts';

it('a flag that cannot be read holds nothing up', async () => {
  await using opened = await openTestStore();
  const { store, clock } = opened;
  const seed = seeder(opened, clock.now());
  await seed.add('flags', { name: 'paused', value: '{"by":7' });
  expect(await store.flags.paused()).toBeNull();
});

it('a pause is known until filing goes on', async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await store.flags.pause({ by: 'U1', at: 5 });
  expect(await store.flags.paused()).toEqual({ by: 'U1', at: 5 });
  await store.flags.resume();
  expect(await store.flags.paused()).toBeNull();
});

import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createTombstoneCheck } from '../../../src/bot/retention/sweeper.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createServices, type Organization } from '../../../src/contract/client/client.ts';
import { fakeService, rejected } from '../../support/fake-service.ts';
import { uuidOf } from '../../support/issues.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { DAY, seeder } from '../store/sweep/seeding.ts';

interface Options {
  organizationOf?: (number: number) => Organization;
  hasPrivateKey?: boolean;
}

/** Issues that are past their retention, of which the service has all, seen last 31 days ago. */
async function forgotten(
  count: number,
  { organizationOf = () => 'default', hasPrivateKey = false }: Options = {},
) {
  const opened = await openTestStore();
  const clock = manualClock(opened.clock.now());
  const seed = seeder(opened, 0);
  const service = fakeService();
  const privateService = fakeService();
  for (let number = 1; number <= count; number += 1) {
    const uuid = uuidOf(number);
    const organization = organizationOf(number);
    await seed.add('tombstones', {
      uuid,
      number,
      organization,
      channel: 'C1',
      checkedAt: clock.now() - 31 * DAY + number,
    });
    const { issues } = organization === 'private' ? privateService : service;
    issues.set(uuid, { uuid, number, status: 'resolved' });
  }
  const { store } = opened;
  const worker = createTombstoneCheck({
    store,
    services: createServices({
      default: service.client,
      private: hasPrivateKey ? privateService.client : null,
    }),
    clock,
    log: createLogger('silent'),
  });
  onTestFinished(async () => {
    await worker.stop();
    await opened[Symbol.asyncDispose]();
  });
  worker.start();
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      clock.advance(1_000);
      for (let n = 0; n < 10; n += 1) await turn();
    }
  };
  return { clock, seed, service, privateService, worker, pass, left: () => seed.ids('tombstones', 'number') };
}

it('go once the service does not have their issues any more, and stay while it has', async () => {
  const f = await forgotten(3);
  f.service.issues.delete(uuidOf(2));
  await f.pass(620_000);
  expect(f.service.calls).toEqual(['get 1', 'get ?', 'get 3']);
  expect(await f.left()).toEqual([1, 3]);
  f.clock.advance(DAY);
  await f.pass(10_000);
  expect(f.service.calls).toHaveLength(3);
});

it.each([
  ['a failure of its own', rejected(500, 'boom', 'api_error')],
  ['a page that is not found', rejected(404, 'no such page', null)],
])('stay where the service answers with %s, which is asked no further that day', async (_what, error) => {
  const f = await forgotten(3);
  f.service.break('get', error);
  await f.pass(620_000);
  expect(f.service.calls).toEqual(['get 1']);
  expect(await f.left()).toEqual([1, 2, 3]);
  f.service.break('get', null);
  f.clock.advance(DAY);
  await f.pass(10_000);
  expect(f.service.calls).toEqual(['get 1', 'get 1', 'get 2', 'get 3']);
});

it('are asked for fifty a day, those first that were seen longest ago', async () => {
  const f = await forgotten(60);
  await f.pass(700_000);
  expect(f.service.calls).toHaveLength(50);
  expect(f.service.calls.at(-1)).toBe('get 50');
  f.clock.advance(DAY);
  await f.pass(20_000);
  expect(f.service.calls).toHaveLength(60);
});

it('are left alone when the process stops', async () => {
  const f = await forgotten(1);
  await f.worker.stop();
  await f.pass(620_000);
  expect(f.service.calls).toEqual([]);
});

/** The even ones are of private channels. */
const organizationOf = (number: number): Organization => (number % 2 === 0 ? 'private' : 'default');

it('of private channels are asked of their own organization', async () => {
  const f = await forgotten(4, { organizationOf, hasPrivateKey: true });
  f.privateService.issues.delete(uuidOf(2));
  await f.pass(620_000);
  expect(f.service.calls).toEqual(['get 1', 'get 3']);
  expect(f.privateService.calls).toEqual(['get ?', 'get 4']);
  expect(await f.left()).toEqual([1, 3, 4]);
});

it('of private channels stay, and are asked of nobody, while there is no key for them', async () => {
  const f = await forgotten(4, { organizationOf });
  f.service.issues.delete(uuidOf(3));
  await f.pass(620_000);
  expect(f.service.calls).toEqual(['get 1', 'get ?']);
  expect(f.privateService.calls).toEqual([]);
  expect(await f.left()).toEqual([1, 2, 4]);
});

import { expect, it } from 'vitest';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createYoungWatch } from '../../../src/bot/watching/young.ts';
import { createWakeup } from '../../../src/lib/worker-loop.ts';
import { rejected } from '../../support/fake-service.ts';
import { until } from '../../support/until.ts';
import { type Watching, watching } from './support.ts';

/** Runs rounds of the worker until its rest is long, each when the one before said; returns when requests were sent. */
async function follow(test: Watching, forMs: number): Promise<{ at: number; calls: string[] }[]> {
  const { clock } = test.opened;
  const began = clock.now();
  const sent: { at: number; calls: string[] }[] = [];
  const rounds = Promise.withResolvers<void>();
  let wake = (): void => undefined;
  const worker = createYoungWatch({
    store: test.store,
    organization: 'default',
    poller: {
      notBefore: test.poller.notBefore,
      check: async (ids) => {
        const before = test.service.calls.length;
        await test.poller.check(ids);
        const calls = test.service.calls.slice(before);
        if (calls.length > 0) sent.push({ at: clock.now() - began, calls });
      },
    },
    clock,
    log: createLogger('silent'),
    wakeup: {
      ...createWakeup(),
      wait: async (ms, signal) => {
        if (clock.now() - began + ms <= forMs) return clock.sleep(ms);
        rounds.resolve();
        return new Promise((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      },
    },
  });
  worker.start();
  await rounds.promise;
  const stopped = worker.stop();
  wake();
  await stopped;
  return sent;
}

it('an issue whose investigation just began is looked at 0.5, 1, 2, 4 … s later, for a minute', async () => {
  await using test = await watching();
  await test.investigation();
  const sent = await follow(test, 600_000 - 1);
  expect(sent.map(({ at }) => at)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000]);
  expect(new Set(sent.flatMap(({ calls }) => calls))).toEqual(new Set(['get 1']));
});

it('its end is announced once, though a poll comes at the same time', async () => {
  await using test = await watching();
  await test.investigation();
  test.elsewhere(1, { status: 'ready_to_fix' });
  const release = test.service.hold('get');
  const polled = test.poller.tick();
  await until('the poll is under way', () => test.service.calls.length === 1);
  const checked = test.poller.check([{ id: 'issue-1', uuid: null }]);
  release();
  await Promise.all([polled, checked]);
  expect(await test.said()).toEqual(['result:issue-1:1 {"version":1,"notice":"result"}']);
});

it('sixty at once cost one list a look, and a request each only once they have ended', async () => {
  await using test = await watching();
  for (let number = 1; number <= 60; number++) await test.investigation(number);
  test.elsewhere(7, { status: 'ready_to_fix' });
  const sent = await follow(test, 4_000);
  expect(sent.map(({ calls }) => calls)).toEqual([
    ['list', 'get 7', 'results 7 v1'],
    ['list'],
    ['list'],
    ['list'],
  ]);
});

it('a failing service is left alone for as long as by the poll', async () => {
  await using test = await watching();
  await test.investigation();
  test.service.break('get', rejected(503, 'later', 'api_error'));
  const sent = await follow(test, 10_000);
  expect(sent.map(({ at }) => at)).toEqual([500, 4_250]);
});

it('what the service does not know yet is not taken for deleted before a poll has asked, too', async () => {
  await using test = await watching();
  await test.investigation();
  test.service.break('get', rejected(404, 'no such issue', 'not_found_error'));
  await follow(test, 1_000);
  expect((await test.store.issues.get('issue-1'))?.state).toBe('created');
  await test.poller.tick();
  expect((await test.store.issues.get('issue-1'))?.state).toBe('gone');
});

it('results that are not there yet are not taken for none', async () => {
  await using test = await watching();
  await test.investigation();
  test.elsewhere(1, { status: 'ready_to_fix' });
  test.service.break('results', rejected(404, 'no results', 'not_found_error'));
  await follow(test, 1_000);
  expect(await test.said()).toEqual([]);
  test.service.break('results', null);
  await test.poller.tick();
  expect(await test.said()).toEqual(['result:issue-1:1 {"version":1,"notice":"result"}']);
});

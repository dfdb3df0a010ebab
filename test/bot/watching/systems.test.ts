import { describe, expect, it, onTestFinished } from 'vitest';
import { watchSystems } from '../../../src/bot/settings/systems.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { systemsKey } from '../../../src/bot/store/intents/keys.ts';
import { systemsLineOf } from '../../../src/bot/store/intents/payloads.ts';
import { createSystemsWatch, lookAtSystems, QUESTION } from '../../../src/bot/watching/systems.ts';
import { ServiceError } from '../../../src/contract/client/errors.ts';
import { fakeService } from '../../support/fake-service.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 20, 9, 30);
const NOTHING = 'Nothing is about to break: I looked at disks.';

/** A store with a channel that wants to know, and an agent that gives these answers, one a look. */
async function world(...answers: (string | Error)[]) {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store } = opened;
  const clock = manualClock(NOW);
  const { client } = fakeService();
  const asked: string[] = [];
  const query = {
    ...client.query,
    ask: async ({ question }: { question: string }) => {
      asked.push(question);
      const answer = answers.shift() ?? NOTHING;
      if (answer instanceof Error) throw answer;
      return { answer };
    },
  };
  const services = { for: () => ({ ...client, query }), has: () => true };
  const wish = { cause: 'c1', channel: 'C1', by: 'U1', isOn: true, now: NOW };
  await store.transaction((tx) => watchSystems(tx, wish));
  const organizationOf = async () => 'default' as const;
  const options = { store, services, organizationOf, clock, log: createLogger('silent') };
  return {
    store,
    clock,
    asked,
    options,
    wish,
    look: async () =>
      lookAtSystems(
        (await store.channels.watchingSystems()).map(({ channel }) => channel),
        options,
      ),
    shown: async () => {
      const row = await store.outbox.get(systemsKey('C1'));
      return row === null ? null : systemsLineOf(row);
    },
  };
}

describe('the hourly look at the systems', () => {
  it('shows what is about to break in one message, and then since when all is clear', async () => {
    const w = await world(
      NOTHING,
      '**2 things are broken or about to break:**\n- **orders-db**: the disk is 90% full\n- **gateway**: the certificate expires in 3 days',
      NOTHING,
    );
    await w.look();
    expect(await w.shown()).toBe(null);
    await w.look();
    expect(await w.shown()).toEqual({
      what: 'systems',
      lines: ['orders-db: the disk is 90% full', 'gateway: the certificate expires in 3 days'],
      lookedAt: NOW,
      clearSince: null,
      problem: null,
    });
    w.clock.advance(HOUR);
    await w.look();
    w.clock.advance(HOUR);
    await w.look();
    expect(await w.shown()).toMatchObject({ lines: [], clearSince: NOW + HOUR, lookedAt: NOW + 2 * HOUR });
    expect(w.asked).toEqual([QUESTION, QUESTION, QUESTION, QUESTION]);
  });

  it('keeps what it last knew where the service does not answer, and says so', async () => {
    const w = await world(
      '- **cart**: restarted 5 times',
      new ServiceError('It is down.', { operation: 'query.ask', ambiguous: false }),
    );
    await w.look();
    await w.look();
    expect(await w.shown()).toMatchObject({
      lines: ['cart: restarted 5 times'],
      clearSince: null,
      problem: 'It is down.',
    });
  });

  it.each([
    ['I can’t tell: telemetry can’t be read right now.', 'I can’t tell: telemetry can’t be read right now.'],
    [`${NOTHING}\nNot looked at: Prometheus did not answer.`, 'Prometheus did not answer.'],
  ])('is not clear where it could not tell: %s', async (answer, problem) => {
    const w = await world('- **cart**: restarted 5 times', NOTHING, answer);
    await w.look();
    await w.look();
    expect(await w.shown()).toMatchObject({ lines: [], clearSince: NOW, problem: null });
    await w.look();
    expect(await w.shown()).toMatchObject({ lines: [], clearSince: null, problem });
  });

  it('asks nobody where no channel wants to know', async () => {
    const w = await world('- **cart**: restarted 5 times');
    await w.store.transaction((tx) => watchSystems(tx, { ...w.wish, cause: 'c2', isOn: false }));
    await w.look();
    expect([w.asked, await w.shown()]).toEqual([[], null]);
  });

  it('looks when a channel begins to watch, and at each full hour', async () => {
    const w = await world();
    const watch = createSystemsWatch(w.options);
    watch.start();
    const asleep = async () => {
      while (w.clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
    };
    await asleep();
    expect(w.asked).toHaveLength(0);
    const later = { ...w.wish, cause: 'c2', channel: 'C2', now: NOW + 1_000 };
    await w.store.transaction((tx) => watchSystems(tx, later));
    for (let round = 0; round < 2; round += 1) {
      w.clock.advance(5_000);
      await asleep();
      expect(w.asked).toHaveLength(1);
    }
    w.clock.advance(HOUR / 2);
    await asleep();
    expect(w.asked).toHaveLength(2);
    await watch.stop();
  });
});

it('turning it on is announced and audited once, and the channel’s other settings stay', async () => {
  const w = await world();
  await w.store.transaction((tx) => watchSystems(tx, w.wish));
  expect((await w.store.channels.get('C1')).settings).toMatchObject({
    mode: 'automatic',
    systems: { by: 'U1', at: NOW },
  });
  const rows = await w.store.outbox.due(Number.MAX_SAFE_INTEGER, 10);
  expect(rows.map(({ kind }) => kind)).toEqual(['announcement']);
});

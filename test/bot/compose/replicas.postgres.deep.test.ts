import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { createReplica } from '../../../src/bot/compose/replicas.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../src/bot/shared/metrics.ts';
import { openStore } from '../../../src/bot/store/open.ts';
import { createWakeups } from '../../../src/bot/store/wakeups.ts';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import { createDatabase } from '../../support/postgres/databases.ts';
import { until } from '../../support/until.ts';

const stack: AsyncDisposableStack[] = [];

afterEach(async () => {
  for (const one of stack.splice(0)) await one.disposeAsync();
});

/** Presence is told once, and then not for a long time. */
const clock: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(ms === 3_000 ? 10 * 60_000 : ms, signal),
};

it('is known to lead, though it was about to say that it does not when it began', async () => {
  const closing = new AsyncDisposableStack();
  stack.push(closing);
  const { url } = await createDatabase();
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  closing.defer(() => admin.end());
  const store = await openStore({ url, clock, random: Math.random, onConnectionLost: () => undefined });
  closing.defer(() => store.close());
  const { replicas } = store;
  if (replicas === null) throw new Error('it is no replica');

  const slow = Promise.withResolvers<void>();
  let told = 0;
  let stored = 0;
  const replica = createReplica({
    replicas: {
      ...replicas,
      seen: async (leads, status) => {
        told += 1;
        if (told === 1) await slow.promise;
        await replicas.seen(leads, status);
        stored += 1;
      },
    },
    url,
    wakeups: createWakeups(),
    status: { shared: () => '{}', followed: () => undefined },
    followClock: async () => undefined,
    start: async () => undefined,
    clock,
    random: Math.random,
    log: createLogger('silent'),
    metrics: createMetrics(),
  });
  for (const [, part] of replica.parts) {
    closing.defer(() => part.stop());
    await part.start();
  }
  await until('it has the lead', async () => {
    const { rowCount } = await admin.query("select 1 from leases where key = 'leader'");
    return rowCount === 1;
  });
  slow.resolve();
  await until('it leads, and both are stored', () => replica.isHeld() && stored === 2);
  const { rows } = await admin.query('select leads::boolean as leads from replicas');
  expect(rows).toEqual([{ leads: true }]);
});

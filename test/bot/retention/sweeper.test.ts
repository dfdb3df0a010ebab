import { setImmediate as turn } from 'node:timers/promises';
import pino from 'pino';
import { expect, it } from 'vitest';
import { createSweeper } from '../../../src/bot/retention/sweeper.ts';
import type { Store } from '../../../src/bot/store/open.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import type { Worker } from '../../../src/lib/worker-loop.ts';
import { deciding } from '../../support/deciding.ts';
import { intent, theIssue } from '../../support/issues.ts';
import { type ManualClock, manualClock } from '../../support/manual-clock.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { DAY, seeder } from '../store/sweep/seeding.ts';

const DELIVERY = { key: 'Ev1', body: '{}', receivedAt: 0 };

function sweeperOf(store: Store, clock: Clock): { worker: Worker; failures: unknown[] } {
  const failures: unknown[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void failures.push(JSON.parse(line)) });
  return { worker: createSweeper({ store, clock, log, retentionDays: 90 }), failures };
}

async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    clock.advance(1_000);
    for (let n = 0; n < 20; n += 1) await turn();
  }
}

async function withMany(count: number) {
  const opened = await openTestStore();
  const clock = manualClock(opened.clock.now());
  const seed = seeder(opened, clock.now() - 91 * DAY);
  for (let n = 0; n < count; n += 1) await seed.alert(`a${String(n).padStart(5, '0')}`);
  return {
    ...opened,
    clock,
    seed,
    ...sweeperOf(opened.store, clock),
    count: async () => (await seed.ids('alerts')).length,
    [Symbol.asyncDispose]: async () => {
      await opened[Symbol.asyncDispose]();
    },
  };
}

it('a minute after the start, and then once a day, what is past its time goes', async () => {
  await using s = await withMany(450);
  s.worker.start();
  await pass(s.clock, 55_000);
  expect(await s.count()).toBe(450);
  await pass(s.clock, 30_000);
  expect(await s.count()).toBe(0);
  await s.seed.alert('next', { decidedAt: s.clock.now() - 90 * DAY + 60_000 });
  await pass(s.clock, 600_000);
  expect(await s.count()).toBe(1);
  s.clock.advance(DAY);
  await pass(s.clock, 10_000);
  expect(await s.count()).toBe(0);
  await s.worker.stop();
  expect(s.failures).toEqual([]);
});

it('what is over goes after so many days as are set; handled deliveries and finished messages after fourteen', async () => {
  await using s = await withMany(0);
  const ago = (days: number) => s.clock.now() - days * DAY;
  for (const days of [13, 15]) {
    const at = ago(days);
    await s.seed.add('inbox', { key: `${days} days`, body: '', receivedAt: at, state: 'done' });
    await s.seed.message(`${days} days`, { createdAt: at, deliveredAt: at });
  }
  for (const days of [89, 91]) await s.seed.alert(`${days} days`, { decidedAt: ago(days) });
  s.worker.start();
  await pass(s.clock, 70_000);
  await s.worker.stop();
  expect({
    inbox: await s.seed.ids('inbox', 'key'),
    outbox: await s.seed.ids('outbox', 'key'),
    alerts: await s.seed.ids('alerts'),
    failures: s.failures,
  }).toEqual({ inbox: ['13 days'], outbox: ['13 days'], alerts: ['89 days'], failures: [] });
});

it('a delivery waits behind no more than one step of it, and a stop in between loses nothing', async () => {
  await using s = await withMany(1_000);
  s.worker.start();
  await pass(s.clock, 61_000);
  const before = await s.count();
  await s.store.inbox.add([DELIVERY]);
  expect([before > 0, before - (await s.count())]).toEqual([true, expect.toSatisfy((went) => went <= 200)]);
  await s.worker.stop();
  expect(await s.count()).toBeGreaterThan(0);
  const { worker, failures } = sweeperOf(s.store, s.clock);
  worker.start();
  await pass(s.clock, 90_000);
  await worker.stop();
  expect([await s.count(), s.failures, failures]).toEqual([0, [], []]);
});

it('one part that fails is said, and the others are swept all the same', async () => {
  await using s = await withMany(1);
  await s.seed.issue('over');
  // Nothing of ours refers to an issue like this: a newer program might.
  await s.seed.raw('create table later (issueId text references issues (id))');
  await s.seed.raw("insert into later values ('over')");
  s.worker.start();
  await pass(s.clock, 70_000);
  await s.worker.stop();
  expect(s.failures).toEqual([
    expect.objectContaining({ part: 'issues', msg: 'could not delete expired data' }),
  ]);
  expect(await s.count()).toBe(0);
});

async function pages({ execute }: Pick<TestStore, 'execute'>): Promise<number> {
  const [row] = await execute('pragma page_count');
  return Number(row?.page_count);
}

it('gives the space back to the disk', async () => {
  await using s = await withMany(0);
  for (let n = 0; n < 400; n += 1) await s.seed.alert(`big${n}`, { alert: 'x'.repeat(20_000) });
  const before = await pages(s);
  s.worker.start();
  await pass(s.clock, 100_000);
  await s.worker.stop();
  expect(await pages(s)).toBeLessThan(before / 5);
});

it('an alert whose issue was swept is a new problem, and one whose issue is kept goes on as it was', async () => {
  await using s = await deciding();
  const kept = await s.alert({ title: 'Kept', fingerprint: 'kept' });
  const gone = await s.alert({ title: 'Gone', fingerprint: 'gone' });
  if (!kept.issueId || !gone.issueId) throw new Error('both are filed');
  const closed = { state: 'created', status: 'resolved', isOpen: false, watched: false } as const;
  await s.store.issues.rewrite(gone.issueId, { ...closed, statusSince: s.clock.now() });
  for (const id of [kept.issueId, gone.issueId])
    await s.store.outbox.delivered(`card:${id}`, 1, s.clock.now());
  await s.store.outbox.delivered(`reaction:C1:${gone.ts}:eyes`, 1, s.clock.now());
  await s.clock.sleep(91 * DAY);
  const clock = manualClock(s.clock.now());
  const { worker, failures } = sweeperOf(s.store, clock);
  worker.start();
  await pass(clock, 70_000);
  await worker.stop();
  expect(failures).toEqual([]);
  expect(await s.store.issues.get(gone.issueId)).toBeNull();
  expect(await intent(s.store, `card:${gone.issueId}`)).toBeNull();

  const again = await s.alert({ title: 'Gone', fingerprint: 'gone' });
  expect(again).toMatchObject({ decision: 'filed' });
  expect(again.issueId).not.toBe(gone.issueId);
  expect(await s.alert({ title: 'Kept', fingerprint: 'kept' })).toMatchObject({
    decision: 'repeat',
    issueId: kept.issueId,
  });
  expect(await theIssue(s.store, kept.issueId)).toMatchObject({ repeats: 1 });
  expect(await intent(s.store, `card:${kept.issueId}`)).toBe('due');
});

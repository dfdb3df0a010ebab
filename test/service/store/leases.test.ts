import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { whenAborted } from '../../../src/lib/clock.ts';
import { createRunner } from '../../../src/service/investigation/runner.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { partialSource } from '../../../src/service/telemetry/combined.ts';
import { unknown } from '../../../src/service/telemetry/model.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { fastClock } from '../../support/paced-clock.ts';
import { onPostgres } from '../../support/postgres/databases.ts';
import { until } from '../../support/until.ts';
import { emptyDatabase, START } from '../support.ts';
import { openTestStore } from './support.ts';

const FINDINGS = { rootCause: { incidentOverview: 'over' } };
const END = { status: 'SUCCESS' as const, description: 'done', now: START };

/** Issues whose investigation has begun, and the UUIDs of their versions. */
async function begun(store: Store, count: number): Promise<{ issue: string; version: string }[]> {
  const all: { issue: string; version: string }[] = [];
  for (let i = 0; i < count; i++) {
    const number = await store.issues.takeNumber('acme');
    const fields = { number, title: 'Cart is slow', description: 'p95', environment: 'production' };
    const { uuid: issue } = await store.issues.create(
      'acme',
      { ...fields, severity: 'low', triggeredAt: START, context: {} },
      START,
    );
    all.push({ issue, version: (await store.versions.start(issue, START + i)).uuid });
  }
  return all;
}

/** Two stores on one PostgreSQL database, and what lets the leases in it end. */
async function twoStores() {
  const { url, directUrl } = await emptyDatabase();
  const location = { url, directUrl, onConnectionLost: () => undefined };
  const stores = [await openTestStore(location), await openTestStore(location)] as const;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const endLeases = () => client.query('update versions set "leaseUntil" = 0 where "leaseUntil" is not null');
  return { stores, endLeases };
}

describe('an issue that was looked at too early', () => {
  async function early(status?: 'resolved') {
    const store = await openTestStore();
    const [one] = await begun(store, 1);
    if (!one) throw new Error('one has begun');
    await store.versions.claim('one', 1);
    await store.versions.finish(one.version, 'one', { ...END, againAt: START + 120_000 });
    if (status) await store.issues.setStatus(one.issue, status, START);
    return { store, issue: one.issue, versions: async () => (await store.versions.of(one.issue)).length };
  }

  it('is investigated again once, when it is time, though two replicas look', async () => {
    const { store, issue, versions } = await early();
    await store.versions.startAgain(START + 119_999);
    expect(await versions()).toBe(1);
    await Promise.all([
      store.versions.startAgain(START + 120_000),
      store.versions.startAgain(START + 120_000),
    ]);
    await store.versions.startAgain(START + 500_000);
    expect(await versions()).toBe(2);
    expect(await store.issues.byId('acme', issue)).toMatchObject({ status: 'investigating' });
  });

  it('is left alone once somebody has resolved it, or had it investigated again', async () => {
    const resolved = await early('resolved');
    await resolved.store.versions.startAgain(START + 120_000);
    expect(await resolved.versions()).toBe(1);
    const restarted = await early();
    await restarted.store.versions.start(restarted.issue, START + 1);
    await restarted.store.versions.startAgain(START + 120_000);
    expect(await restarted.versions()).toBe(2);
  });
});

describe('a version that runs', () => {
  it('is given to one owner, the oldest first, who alone saves and ends it', async () => {
    const store = await openTestStore();
    const [first, second, third] = await begun(store, 3);
    if (!first || !second || !third) throw new Error('three have begun');
    expect(await store.versions.claim('one', 2)).toEqual([first.version, second.version]);
    expect(await store.versions.claim('one', 2)).toEqual([third.version]);
    expect(await store.versions.claim('one', 2)).toEqual([]);
    expect(await store.versions.renew('one')).toEqual([first.version, second.version, third.version]);
    expect(await store.versions.job(first.version, 'one')).toMatchObject({ uuid: first.version });
    expect(await store.versions.job(first.version, 'other')).toBeUndefined();
    expect(await store.versions.saveFindings(first.version, 'other', Object(FINDINGS))).toBe(false);
    await store.versions.finish(first.version, 'other', END);
    expect(await store.versions.find(first.issue, 1)).toMatchObject({ status: 'RUNNING', findings: null });
    expect(await store.versions.saveFindings(first.version, 'one', Object(FINDINGS))).toBe(true);
    await store.versions.finish(first.version, 'one', END);
    expect(await store.versions.find(first.issue, 1)).toMatchObject({ status: 'SUCCESS' });
    expect(await store.issues.byId('acme', first.issue)).toMatchObject({ status: 'ready_to_fix' });
    expect(await store.versions.saveFindings(first.version, 'one', Object(FINDINGS))).toBe(false);
  });

  it('can be had by another once it is released', async () => {
    const store = await openTestStore();
    const [one] = await begun(store, 1);
    await store.versions.claim('one', 9);
    await store.versions.release('one');
    expect(await store.versions.renew('one')).toEqual([]);
    expect(await store.versions.claim('other', 9)).toEqual([one?.version]);
  });

  it.skipIf(onPostgres)('is had by the next to start where one process has the file', async () => {
    const store = await openTestStore();
    const [one] = await begun(store, 1);
    await store.versions.claim('the process that crashed', 9);
    expect(await store.versions.claim('the next', 9)).toEqual([one?.version]);
  });
});

describe.runIf(onPostgres)('of several replicas', () => {
  it('each version is given to one, whoever asks at the same time', async () => {
    const { stores } = await twoStores();
    const all = await begun(stores[0], 12);
    const claimed = await Promise.all(
      Array.from({ length: 12 }, (_, i) => stores[i % 2 === 0 ? 0 : 1].versions.claim(`owner ${i}`, 2)),
    );
    expect(claimed.flat().sort()).toEqual(all.map(({ version }) => version).sort());
  });

  it('one has a version until its lease ends, and then another, and its own writes are refused', async () => {
    const { stores, endLeases } = await twoStores();
    const [{ versions }, { versions: others }] = stores;
    const [one] = await begun(stores[0], 1);
    if (!one) throw new Error('one has begun');
    await versions.claim('one', 9);
    expect(await others.claim('other', 9)).toEqual([]);
    await endLeases();
    expect(await versions.renew('one')).toEqual([one.version]);
    expect(await others.claim('other', 9)).toEqual([]);
    await endLeases();
    expect(await others.claim('other', 9)).toEqual([one.version]);
    expect(await versions.renew('one')).toEqual([]);
    expect(await versions.saveFindings(one.version, 'one', Object(FINDINGS))).toBe(false);
    await versions.finish(one.version, 'one', END);
    expect(await versions.find(one.issue, 1)).toMatchObject({ status: 'RUNNING', findings: null });
  });

  it('one is told when another has begun something', async () => {
    const { stores } = await twoStores();
    let heard = 0;
    const { stop } = stores[1].listen(() => {
      heard += 1;
    });
    onTestFinished(stop);
    await until('it listens', () => heard > 0);
    const before = heard;
    await begun(stores[0], 1);
    await until('it was told', () => heard > before);
  });

  it('each listens on a connection to the server itself', async () => {
    const { url } = await emptyDatabase();
    const directUrl = `${url}&application_name=direct`;
    const store = await openTestStore({ url, directUrl, onConnectionLost: () => undefined });
    const { stop } = store.listen(() => undefined);
    onTestFinished(stop);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await until('it listens', async () => {
      const { rows } = await client.query(
        `select 1 from pg_stat_activity where application_name = 'direct' and query ilike 'listen %'`,
      );
      return rows.length === 1;
    });
  });

  it('clocks may differ by minutes: an investigation takes no longer elsewhere', async () => {
    const { stores } = await twoStores();
    const [one] = await begun(stores[0], 1);
    if (!one) throw new Error('one has begun');
    const behind = manualClock(START - 120_000);
    const runner = createRunner({
      store: stores[1],
      telemetry: partialSource({ name: 'empty', check: () => Promise.reject(new Error('nobody checks')) }),
      limits: { requests: 300, ms: 60_000 },
      clock: behind,
      log: { warn: () => undefined, error: () => undefined },
    });
    runner.start();
    onTestFinished(runner.stop);
    await until('it has ended', async () => {
      if (behind.sleeping() > 0) await behind.pass(500);
      // No source answers.
      return (await stores[0].versions.find(one.issue, 1))?.status === 'FAILED';
    });
    expect(behind.now()).toBeLessThan(START - 60_000);
  });

  it('one that lost an investigation stops it and writes nothing, and the other ends it', async () => {
    const { stores, endLeases } = await twoStores();
    const stopped: string[] = [];
    const asked: string[] = [];
    const runnerOf = (store: Store, name: string, isStuck: boolean) =>
      createRunner({
        store,
        telemetry: partialSource({
          name,
          services: async (_, budget) => {
            asked.push(name);
            if (isStuck) {
              await whenAborted(budget.signal);
              stopped.push(name);
            }
            return unknown('it has none');
          },
          check: () => Promise.reject(new Error('nobody checks')),
        }),
        limits: { requests: 300, ms: 600_000 },
        clock: fastClock(1),
        log: { warn: () => undefined, error: () => undefined },
      });
    const stuck = runnerOf(stores[0], 'stuck', true);
    stuck.start();
    onTestFinished(stuck.stop);
    const [one] = await begun(stores[0], 1);
    if (!one) throw new Error('one has begun');
    await until('it is at it', () => asked.length > 0);
    // As after a pause of the whole process: it has not renewed its lease, and another has taken over.
    await until('another has it', async () => {
      await endLeases();
      return (await stores[1].versions.claim('another', 9)).length > 0;
    });
    await until('it has stopped', () => stopped.length > 0);
    expect(await stores[1].versions.find(one.issue, 1)).toMatchObject({ status: 'RUNNING', findings: null });
    await stores[1].versions.release('another');

    await stuck.stop();
    const other = runnerOf(stores[1], 'other', false);
    other.start();
    onTestFinished(other.stop);
    await until('the other ends it', async () => {
      const version = await stores[0].versions.find(one.issue, 1);
      return version?.status === 'FAILED';
    });
    expect(asked.at(-1)).toBe('other');
  });
});

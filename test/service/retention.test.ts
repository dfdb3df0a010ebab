import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createRetention } from '../../src/service/server.ts';
import { openStore, type Store } from '../../src/service/store/store.ts';
import type { Tables } from '../../src/service/store/tables.ts';
import { manualClock } from '../support/manual-clock.ts';
import { tablesOf } from '../support/tables-of.ts';

const DAY = 86_400_000;
const DAYS = 365;

/** Every table: what of it expires, or why nothing does. A new table needs a line here. */
const TABLES: Readonly<Record<keyof Tables, 'expires' | { kept: string }>> = {
  issues: 'expires',
  seeds: 'expires',
  versions: 'expires',
  artifacts: 'expires',
  conversations: 'expires',
  turns: 'expires',
  changes: 'expires',
  modelRequests: 'expires',
  fingerprints: { kept: 'one row for each configured database, with the changes of a week' },
  counters: { kept: 'one number for each organization, so that none is given again' },
};

/** What there is at one moment, on the day that it was made: an issue with a finding, a conversation, a change. */
async function everything(store: Store, at: number): Promise<void> {
  const id = String(at);
  const number = await store.issues.takeNumber('acme');
  const fields = { title: id, description: 'One in five', environment: 'production', context: {} };
  const issue = await store.issues.create(
    'acme',
    { ...fields, severity: 'low', triggeredAt: at, number },
    at,
  );
  const { uuid } = await store.versions.start(issue.uuid, at);
  await store.versions.claim('tests', 100);
  await store.artifacts.replace('acme', uuid, [artifact(`found-${id}`, at)], at);
  await store.versions.finish(uuid, 'tests', { status: 'SUCCESS', description: '', now: at });
  await store.issues.setStatus(issue.uuid, 'resolved', at);
  await store.conversations.add('acme', undefined, { question: id, answer: 'yes' }, at);
  await store.artifacts.add('acme', [artifact(`answer-${id}`, at)], at);
  const sent = { purpose: 'route', model: 'm', host: 'h', reserved: 1, digest: 'd', payload: '{}' };
  await store.modelRequests.reserve(
    { ...sent, organization: 'acme', issue: number },
    { ceiling: 10, now: at },
  );
  // One row for each database, whatever its age.
  await store.fingerprints.replace(
    'orders',
    { last: { at, parts: {}, counters: {} }, changes: [] },
    (await store.fingerprints.of('orders'))?.last.at ?? null,
  );
  const change = { at, service: 'checkout', kind: 'deploy', title: id };
  await store.changes.add(
    { ...change, version: null, url: null, contents: null },
    { isDated: true, now: at },
  );
}

function artifact(id: string, at: number) {
  const time = new Date(at).toISOString();
  return {
    ...{ id, provider: 'Loki', providerUrl: '', summary: '', createdAt: time, updatedAt: time },
    ...{ type: 'logs' as const, data: {} },
  };
}

/** How many rows each table of a file has, once `work` is done and the store closed. */
async function rowsAfter(work: (store: Store) => Promise<void>): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-retention-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'service.db');
  const store = await openStore({ file });
  await work(store);
  await store.close();
  const tables = Object.entries(tablesOf(file)).filter(([name]) => !/^(?:sqlite|search)_/u.test(name));
  return Object.fromEntries(tables.map(([name, rows]) => [name, rows.length]));
}

it('what is over goes after so many days, in every table, and what is younger stays', async () => {
  const clock = manualClock();
  const young = clock.now() - (DAYS - 1) * DAY;
  const expected = await rowsAfter((store) => everything(store, young));
  const failures: unknown[] = [];
  const left = await rowsAfter(async (store) => {
    // A report deletes the changes of a month before: the older one comes last.
    await everything(store, young);
    await everything(store, clock.now() - (DAYS + 1) * DAY);
    const log = pino({ level: 'warn' }, { write: (line) => void failures.push(line) });
    const retention = createRetention({ store, clock, timer: clock, log, retentionDays: DAYS });
    retention.start();
    for (let second = 0; second < 120; second += 1) await clock.pass(1_000);
    await retention.stop();
  });
  expect(Object.keys(left).sort()).toEqual([...Object.keys(TABLES), 'search'].sort());
  expect({ left, failures }).toEqual({ left: expected, failures: [] });
  expect(Object.values(expected).every((count) => count > 0)).toBe(true);
});

it('an issue that is open, resolved lately, or investigated lately stays, and a conversation that goes on', async () => {
  const clock = manualClock();
  const old = clock.now() - (DAYS + 1) * DAY;
  const left = await rowsAfter(async (store) => {
    await everything(store, old);
    const issues = (await store.list('acme', {}, null, 10)).issues;
    const [issue] = issues;
    if (issue === undefined) throw new Error('there is one');
    await store.issues.setStatus(issue.uuid, 'muted', old);
    expect(await store.transaction((tx) => tx.sweep.issues(clock.now(), 10))).toBe(0);
    await store.issues.setStatus(issue.uuid, 'resolved', clock.now());
    expect(await store.transaction((tx) => tx.sweep.issues(old + DAY, 10))).toBe(0);
    await store.versions.start(issue.uuid, clock.now());
    await store.issues.setStatus(issue.uuid, 'resolved', old);
    expect(await store.transaction((tx) => tx.sweep.issues(old + DAY, 10))).toBe(0);
    const turn = { question: 'and now?', answer: 'still' };
    const uuid = await store.conversations.add('acme', undefined, turn, old);
    await store.conversations.add('acme', uuid, turn, clock.now());
    await store.transaction((tx) => tx.sweep.conversations(old + DAY, 10));
  });
  expect(left).toMatchObject({ issues: 1, versions: 2, conversations: 1, turns: 2 });
});

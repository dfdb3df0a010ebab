import { describe, expect, it } from 'vitest';
import type { Transition } from '../../../src/bot/store/issue-transitions.ts';
import type { Issue } from '../../../src/bot/store/issues.ts';
import type { Store } from '../../../src/bot/store/open.ts';
import { addCreated, theIssue, uuidOf } from '../../support/issues.ts';
import { type Watching, watching } from './support.ts';

const TICK_MS = 15_000;
const MINUTE = 60_000;

/** The issues in memory alone: what of ten thousand is looked at, and when, is counted without a disk. */
function inMemory(rows: Map<string, Issue>): (store: Store) => Store {
  const issues = {
    countWatched: async () => rows.size,
    investigating: async () => [],
    idle: async (before: number, limit: number) =>
      [...rows.values()]
        .filter((row) => row.checkedAt <= before)
        .sort((a, b) => a.checkedAt - b.checkedAt)
        .slice(0, limit),
    get: async (id: string) => rows.get(id) ?? null,
    apply: async (id: string, { set }: Transition): Promise<boolean> => {
      Object.assign(rows.get(id) ?? {}, set);
      return rows.has(id);
    },
  };
  return (store) => {
    const known = { ...store, issues: { ...store.issues, ...issues } };
    return { ...known, transaction: (work) => work(known) };
  };
}

/** So many ended issues, looked at one after another over the last minutes, as they are while the program runs. */
async function watched(count: number): Promise<Watching> {
  const rows = new Map<string, Issue>();
  const test = await watching({ around: inMemory(rows) });
  const now = test.opened.clock.now();
  const one = await addCreated(test.store, now);
  for (let number = 1; number <= count; number += 1) {
    const [id, uuid] = [`issue-${number}`, uuidOf(number)];
    const ended = { status: 'ready_to_fix', endedVersion: 1, statusSince: now };
    const checkedAt = now - Math.floor((number / count) * 4 * MINUTE);
    rows.set(id, { ...one, id, uuid, number, ...ended, checkedAt });
    test.service.issues.set(uuid, { uuid, number, status: 'ready_to_fix', latestVersion: 1 });
  }
  return test;
}

/** Ticks for so long: how many requests the costliest of them made, and the longest that an issue waited for its turn. */
async function ticking(test: Watching, forMs: number): Promise<{ requests: number; waitMs: number }> {
  const began = test.opened.clock.now();
  const looked = new Map([...test.service.issues.values()].map(({ number }) => [`get ${number}`, began]));
  let [requests, waitMs] = [0, 0];
  for (let spent = 0; spent < forMs; spent += TICK_MS) {
    await test.opened.clock.sleep(TICK_MS);
    test.service.calls.length = 0;
    await test.poller.tick();
    requests = Math.max(requests, test.service.calls.length);
    const now = test.opened.clock.now();
    for (const call of test.service.calls) {
      waitMs = Math.max(waitMs, now - (looked.get(call) ?? 0));
      looked.set(call, now);
    }
  }
  const now = test.opened.clock.now();
  return { requests, waitMs: Math.max(waitMs, ...[...looked.values()].map((at) => now - at)) };
}

/**
 * What a tick costs, and how long an issue waits for its turn; an edit of its card takes seconds more. The most that a
 * tick may cost has been 556 requests, of 10,000 issues.
 */
const COSTS = [
  { count: 1, requests: 1, waitMs: 45_000 },
  { count: 200, requests: 75, waitMs: 45_000 },
  { count: 1_000, requests: 75, waitMs: 3.75 * MINUTE },
  { count: 10_000, requests: 556, waitMs: 4.75 * MINUTE },
];

describe('the rotation', () => {
  it.each(COSTS)(
    'of $count issues takes $waitMs ms, at $requests requests a tick',
    async ({ count, requests, waitMs }) => {
      await using test = await watched(count);
      // The start, where issues may have waited for long, is none of this.
      await ticking(test, 5 * MINUTE);
      const cost = await ticking(test, 15 * MINUTE);
      expect(cost.requests).toBeLessThanOrEqual(requests);
      expect(cost.waitMs).toBeLessThanOrEqual(waitMs);
    },
  );

  it('shows a status and a new version, both set elsewhere, within a minute', async () => {
    await using test = await watching();
    for (const number of [1, 2]) {
      await test.investigation(number);
      test.elsewhere(number, { status: 'ready_to_fix', versions: [{ version: 1, status: 'SUCCESS' }] });
    }
    await test.poller.tick();
    test.elsewhere(1, { status: 'resolved' });
    const versions = [1, 2].map((version) => ({ version, status: 'SUCCESS' }));
    test.elsewhere(2, { latestVersion: 2, versions });
    await ticking(test, 45_000);
    expect(await theIssue(test.store, 'issue-1')).toMatchObject({ status: 'resolved' });
    expect(await theIssue(test.store, 'issue-2')).toMatchObject({ version: 2, endedVersion: 2 });
    expect(await test.said()).toContain(
      'result:issue-2:2 {"version":2,"notice":"result","isSaid":true,"isAsBefore":true}',
    );
  });
});

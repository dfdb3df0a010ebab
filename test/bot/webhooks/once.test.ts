import fc from 'fast-check';
import { expect, it } from 'vitest';
import { transitions } from '../../../src/bot/store/issue-transitions.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { runs } from '../../support/property-runs.ts';
import { alias, received, webhooksOn } from './support.ts';

const CHANNEL = 'C0AAAAAAA';
const MINUTE_MS = 60_000;

const name = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ what: fc.constant('fires' as const), name, start: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('recovers' as const), name, start: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('its app writes' as const), name }) },
  { weight: 5, arbitrary: fc.constant({ what: 'work' as const }) },
  { weight: 4, arbitrary: fc.constant({ what: 'post' as const }) },
  { weight: 2, arbitrary: fc.constant({ what: 'time passes' as const }) },
  { weight: 1, arbitrary: fc.constantFrom({ what: 'pause' as const }, { what: 'resume' as const }) },
  { weight: 1, arbitrary: fc.constant({ what: 'file all' as const }) },
  { weight: 2, arbitrary: fc.constant({ what: 'investigate' as const }) },
  { weight: 1, arbitrary: fc.constant({ what: 'resolve' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function play(opened: TestStore, steps: readonly Step[]): Promise<Set<string>> {
  const { store, clock } = opened;
  const hooks = webhooksOn(opened);
  const fired = new Set<string>();
  const aliases = (of: string) => ({ aliases: [alias(`app ${of}`)] });
  const startOf = (start: number) => `2026-03-17T1${start}:00:00.000Z`;
  for (const [at, one] of steps.entries()) {
    switch (one.what) {
      case 'fires':
        fired.add(one.name);
        await hooks.deliver({
          ...received({ fingerprint: one.name, triggeredAt: startOf(one.start) }, aliases(one.name)),
          note: `${at}`,
        });
        break;
      case 'recovers': {
        const of = { fingerprint: one.name, triggeredAt: startOf(one.start), kind: 'resolved' } as const;
        await hooks.deliver({ ...received(of, aliases(one.name)), note: `${at}` });
        break;
      }
      case 'its app writes':
        await hooks.slackApp({ fingerprint: `app ${one.name}` }, `${clock.now() / 1_000 + at}.000200`);
        break;
      case 'work':
        await hooks.work();
        break;
      case 'post':
        await hooks.post();
        break;
      case 'time passes':
        await clock.sleep(20 * MINUTE_MS);
        break;
      case 'pause':
        await store.flags.pause({ by: 'U1', at: clock.now() });
        break;
      case 'resume':
        await store.flags.resume();
        break;
      case 'investigate':
        await investigate(opened, 'investigating', true);
        break;
      case 'resolve':
        await investigate(opened, 'resolved', false);
        break;
      case 'file all': {
        const hold = await store.holds.current(CHANNEL, true, 0);
        if (hold !== null) await hooks.fileHeld(hold);
      }
    }
  }
  for (let round = 0; round < 3; round += 1) {
    await clock.sleep(2 * MINUTE_MS);
    await hooks.work();
    await hooks.post();
  }
  return fired;
}

/** The service takes what is to be sent, and its investigations end with this status. */
async function investigate({ store, clock }: TestStore, status: string, isOpen: boolean): Promise<void> {
  for (const issue of await store.issues.pending(clock.now(), 99)) {
    const created = { uuid: issue.id, number: Number.parseInt(issue.id.slice(0, 6), 16), status, version: 1 };
    await store.issues.apply(issue.id, transitions.markCreated(created, clock.now()));
    await store.issues.apply(issue.id, transitions.announceEnd(1));
    const act = { by: 'U1', at: clock.now() };
    const nothing = { mutedUntil: null, statusBefore: null, newVersion: null };
    await store.issues.apply(
      issue.id,
      transitions.setStatus({ status, what: status, isOpen, ...nothing }, act),
    );
  }
}

async function count({ execute }: TestStore, from: string): Promise<number> {
  const [row] = await execute(`select count(*) as n from ${from}`);
  return Number(row?.n);
}

it('whatever comes in whatever order: each problem is one open issue in the thread of one of its messages', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
      await using opened = await openTestStore();
      const fired = await play(opened, steps);
      const counts = (from: string) => count(opened, from);
      const issues = await opened.execute('select id, identity, is_open, channel, thread_ts from issues');
      const open = issues.filter((row) => Number(row.is_open) === 1).map(({ identity }) => identity);
      expect(new Set(open).size).toBe(open.length);
      for (const { id, channel, thread_ts: ts } of issues) {
        expect(
          await counts(`alerts where issue_id = '${id}' and channel = '${channel}' and ts = '${ts}'`),
        ).toBe(1);
        expect(
          await counts(`outbox where kind = 'card' and issue_id = '${id}' and thread_ts = '${ts}'`),
        ).toBe(1);
      }
      expect(await counts("outbox where kind = 'card'")).toBe(issues.length);
      expect(await counts('alerts where length(ts) = 20')).toBe(0);
      expect(await counts("received_alerts where state not in ('decided', 'noted')")).toBe(0);
      const posts = await counts("outbox where kind = 'alert'");
      expect(await counts("received_alerts where state = 'decided' and length(ts) = 17")).toBe(posts);
      const recorded = await opened.execute('select distinct identity from alerts');
      for (const one of fired) {
        const of = [`${one}@production`, `app ${one}@production`];
        expect(recorded.some(({ identity }) => of.includes(String(identity)))).toBe(true);
      }
    }),
    { numRuns: runs(60) },
  );
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { createDigester, sendDigestNow } from '../../../src/bot/digest/digests.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import type { Digest } from '../../../src/bot/store/digests.ts';
import type { OutboxRow } from '../../../src/bot/store/outbox.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { recordWakeups } from '../../support/record-wakeups.ts';

const at = (text: string) => Date.parse(`2026-11-${text}:00Z`);

const friday: Digest = {
  channel: 'C1',
  days: '12345',
  time: '09:00',
  zone: 'Etc/UTC',
  nextAt: at('20T09:00'),
  lastAt: null,
};

/** A digester at a moment, on a real store. */
async function world(now: number, digests: Digest[] = [friday]) {
  const { wakeups, woken } = recordWakeups();
  const opened = await openTestStore({ wakeups });
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store } = opened;
  const clock = manualClock(now);
  for (const { lastAt: _, ...digest } of digests) await store.digests.save(digest);
  const log = createLogger('silent');
  const errors: unknown[] = [];
  log.error = (...args: unknown[]) => void errors.push(args[1]);
  const run = async () => {
    const digester = createDigester({ store, clock, log });
    digester.start();
    while (clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
    await digester.stop();
  };
  return {
    store,
    clock,
    errors,
    run,
    woken,
    wanted: async () => {
      const rows = await store.outbox.due(Number.MAX_SAFE_INTEGER, 100);
      return rows.map((row: OutboxRow) => ({ key: row.key, kind: row.kind, ...JSON.parse(row.payload) }));
    },
  };
}

describe('a digest', () => {
  it('is not sent before its moment', async () => {
    const w = await world(at('20T08:59'));
    await w.run();
    expect([await w.wanted(), w.woken]).toEqual([[], []]);
  });

  it('is sent at its moment, once, and the next one is due then', async () => {
    const w = await world(at('20T09:00'));
    await w.run();
    await w.run();
    expect(await w.wanted()).toEqual([
      {
        key: `digest:C1:${at('20T09:00')}`,
        kind: 'digest',
        since: at('13T09:00'),
        until: at('20T09:00'),
        due: at('20T09:00'),
        by: null,
      },
    ]);
    expect(await w.store.digests.get('C1')).toEqual({
      ...friday,
      lastAt: at('20T09:00'),
      nextAt: at('23T09:00'),
    });
    expect(w.woken).toEqual(['outbox']);
  });

  it('that was missed several times is sent once, and tells of all since the last', async () => {
    const w = await world(at('20T09:00'));
    await w.run();
    w.clock.advance(at('26T15:30') - at('20T09:00'));
    await w.run();
    expect((await w.wanted()).map(({ since, until, due }) => [since, until, due])).toEqual([
      [at('13T09:00'), at('20T09:00'), at('20T09:00')],
      [at('20T09:00'), at('26T15:30'), at('23T09:00')],
    ]);
    expect(await w.store.digests.get('C1')).toMatchObject({ nextAt: at('27T09:00') });
  });

  it('that is set to another moment as it is about to be sent comes then', async () => {
    const w = await world(at('20T09:00'));
    const { due } = w.store.digests;
    w.store.digests.due = async (now) => {
      const rows = await due(now);
      const { lastAt: _, ...digest } = { ...friday, nextAt: at('20T15:00') };
      await w.store.digests.save(digest);
      return rows;
    };
    await w.run();
    expect(await w.wanted()).toEqual([]);
    expect((await w.store.digests.get('C1'))?.nextAt).toBe(at('20T15:00'));
  });

  it('that cannot be reckoned with does not hold up the others', async () => {
    const broken = { ...friday, channel: 'C0', zone: 'Mars/Base' };
    const w = await world(at('20T09:00'), [broken, friday]);
    await w.run();
    expect((await w.wanted()).map(({ key }) => key)).toEqual([`digest:C1:${at('20T09:00')}`]);
    expect(w.errors).toEqual(['could not send a digest']);
  });
});

describe('a digest that somebody asks for', () => {
  const wish = { cause: 'V1', channel: 'C1', by: 'U1' };

  it('comes at once, and once for one act; the next one comes when it would', async () => {
    const w = await world(at('19T10:00'));
    const now = at('19T10:00');
    await w.store.transaction((tx) => sendDigestNow(tx, { ...wish, now }));
    await w.store.transaction((tx) => sendDigestNow(tx, { ...wish, now: now + 1 }));
    expect(await w.wanted()).toEqual([
      { key: 'digest:C1:now:V1', kind: 'digest', since: at('12T10:00'), until: now, due: null, by: 'U1' },
    ]);
    expect(await w.store.digests.get('C1')).toEqual(friday);
    expect(await w.store.audit.ofChannel('C1', 9)).toEqual({
      entries: [{ at: now, who: 'U1', what: 'sent the digest of C1' }],
      older: 0,
    });
  });

  it('comes in a channel that has none, too', async () => {
    const w = await world(at('19T10:00'), []);
    await w.store.transaction((tx) => sendDigestNow(tx, { ...wish, now: at('19T10:00') }));
    expect(await w.wanted()).toHaveLength(1);
  });
});

it('the digest of a channel that wants it says which alerts nobody needed, in the first of each week', async () => {
  const w = await world(at('20T09:00'));
  await w.store.channels.setHygiene('C1', true);
  await w.run();
  w.clock.advance(at('23T09:00') - at('20T09:00'));
  await w.run();
  w.clock.advance(at('24T09:00') - at('23T09:00'));
  await w.run();
  expect((await w.wanted()).map(({ due, hygiene = false }) => [due, hygiene])).toEqual([
    [at('20T09:00'), false],
    [at('23T09:00'), true],
    [at('24T09:00'), false],
  ]);
});

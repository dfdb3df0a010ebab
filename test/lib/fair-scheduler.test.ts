import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFairScheduler } from '../../src/lib/fair-scheduler.ts';

/** Waits with each of these names, and tells who went on in which turn of the loop. */
function waiters(turns: ReturnType<typeof createFairScheduler>, names: readonly string[]) {
  let went: string[] = [];
  for (const name of names) void turns.mine().then(() => went.push(name));
  return {
    /** Who goes on in the next turn. */
    next: async () => {
      went = [];
      await turn();
      return went.join('');
    },
  };
}

describe('those who can wait', () => {
  it('go on a few in each turn of the loop, in their order, and what comes later behind them', async () => {
    const turns = createFairScheduler(2, 3);
    const { next } = waiters(turns, ['a', 'b', 'c', 'd', 'e']);
    expect([await next(), await next()]).toEqual(['ab', 'cd']);
    const later = waiters(turns, ['f', 'g']);
    expect([await later.next(), await later.next()]).toEqual(['f', 'g']);
  });

  it('go on after there was nobody', async () => {
    const turns = createFairScheduler(1, 3);
    await turns.mine();
    await turn();
    await turns.mine();
  });

  it('have one turn for so many arrivals while things arrive in every turn, and never none for ever', async () => {
    const turns = createFairScheduler(2, 3);
    const { next } = waiters(turns, ['a', 'b', 'c', 'd', 'e']);
    const went: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      turns.arrived();
      went.push(await next());
    }
    expect(went).toEqual(['', '', 'a', '', '', 'b', '']);
    for (let n = 0; n < 6; n += 1) turns.arrived();
    expect(await next()).toBe('cd');
    expect(await next()).toBe('e');
  });

  it('owe nothing to what arrived while nobody waited', async () => {
    const turns = createFairScheduler(1, 3);
    for (let n = 0; n < 30; n += 1) turns.arrived();
    const { next } = waiters(turns, ['a', 'b']);
    expect([await next(), await next()]).toEqual(['a', 'b']);
  });

  const MANY_NAMES = [...'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

  /** A scheduler on a clock of its own: `pass(ms, n)` lets n arrive in a turn that takes so long, and tells who went on. */
  function onClock() {
    let now = 0;
    const turns = createFairScheduler(4, 10, () => now);
    const { next } = waiters(turns, MANY_NAMES);
    const pass = async (ms: number, arrivals: number) => {
      now += ms;
      for (let n = 0; n < arrivals; n += 1) turns.arrived();
      return (await next()).length;
    };
    /** Turns of an idle loop. */
    const idle = async (ms: number) => {
      let went = 0;
      for (let n = 0; n < ms * 2; n += 1) went += await pass(0.5, 0);
      return went;
    };
    return { pass, idle };
  }

  /** A second in which much arrives: the next turns are a test. */
  async function untilTest({ pass }: ReturnType<typeof onClock>) {
    await pass(1, 1);
    await pass(1_000, 0);
    await pass(1_000, 210);
  }

  it('go on with a share only, in quiet turns too, once arrivals alone take most of the time', async () => {
    const clock = onClock();
    await untilTest(clock);
    expect([await clock.pass(9, 30), await clock.idle(8), await clock.pass(7, 30)]).toEqual([0, 0, 0]);
    expect(await clock.pass(10, 10)).toBe(1);
    expect(await clock.idle(5)).toBe(0);
    expect(await clock.pass(10, 30)).toBe(3);
  });

  it('go on as ever after a test in which arrivals leave enough time', async () => {
    const clock = onClock();
    await untilTest(clock);
    expect([await clock.pass(9, 30), await clock.idle(11), await clock.pass(5, 8)]).toEqual([0, 0, 0]);
    expect(await clock.idle(0.5)).toBe(4);
  });

  it('go on as ever when a flood is over: when much of the time is left again, or little arrives', async () => {
    for (const arrivals of [45, 1]) {
      const clock = onClock();
      await untilTest(clock);
      await clock.pass(25, 30);
      const idleMs = arrivals === 1 ? 1 : 120;
      expect(await clock.pass(200 - idleMs, arrivals)).toBeLessThanOrEqual(4);
      expect(await clock.idle(idleMs - 0.5)).toBe(0);
      expect(await clock.idle(1)).toBe(8);
    }
  });

  it('are not held back while little arrives, however busy the loop is', async () => {
    const { pass } = onClock();
    for (let n = 0; n < 5; n += 1) expect([await pass(900, 9), await pass(900, 0)]).toEqual([0, 4]);
  });
});

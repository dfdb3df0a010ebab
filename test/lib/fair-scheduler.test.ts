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

  /** A scheduler on a clock of its own, which `pass` advances: some of the time arrivals take, the rest is idle. */
  function onClock() {
    let [now, idle] = [0, 0];
    let sleeper = { until: Number.POSITIVE_INFINITY, wake: () => {} };
    const turns = createFairScheduler(4, 10, {
      now: () => now,
      idle: () => idle,
      sleep: (ms) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        sleeper = { until: now + ms, wake: resolve };
        return promise;
      },
    });
    let went = 0;
    for (let n = 0; n < 100; n += 1) void turns.mine().then(() => (went += 1));
    /** @returns how many went on meanwhile, and in the turn after it */
    const pass = async (ms: number, arrivals: number, idleMs: number) => {
      went = 0;
      now += ms;
      idle += idleMs;
      for (let n = 0; n < arrivals; n += 1) turns.arrived();
      if (sleeper.until <= now) sleeper.wake();
      await turn();
      return went;
    };
    return { pass };
  }

  /** A second in which much arrives: then all is held back for a moment. */
  async function untilSample() {
    const { pass } = onClock();
    await pass(1, 1, 0);
    await pass(1_000, 210, 0);
    expect(await pass(10, 20, 0)).toBe(0);
    return pass;
  }

  it('have one turn for so many arrivals, in quiet turns too, once arrivals alone take most of the time', async () => {
    const pass = await untilSample();
    expect(await pass(15, 0, 9)).toBe(0);
    expect([await pass(50, 0, 25), await pass(50, 25, 0), await pass(1, 5, 0)]).toEqual([0, 2, 1]);
    expect(await pass(99, 20, 30)).toBe(2);
    expect([await pass(50, 0, 0), await pass(50, 41, 0)]).toEqual([0, 4]);
  });

  it('go on as ever after a moment in which arrivals leave enough time', async () => {
    const pass = await untilSample();
    expect(await pass(15, 20, 11)).toBe(0);
    expect(await pass(1, 0, 1)).toBe(4);
  });

  it('go on as ever when a flood is over: when much of the time is left again, or little arrives', async () => {
    for (const end of [
      { arrivals: 80, idleMs: 120 },
      { arrivals: 9, idleMs: 0 },
    ]) {
      const pass = await untilSample();
      await pass(15, 0, 0);
      expect(await pass(199, 0, 0)).toBe(0);
      await pass(1, end.arrivals, end.idleMs);
      await pass(1, 0, 1);
      expect([await pass(1, 0, 1), await pass(1, 0, 1)]).toEqual([4, 4]);
    }
  });

  it('are not held back while little arrives, however busy the loop is', async () => {
    const { pass } = onClock();
    await pass(900, 0, 0);
    for (let n = 0; n < 5; n += 1) expect([await pass(900, 9, 0), await pass(900, 0, 0)]).toEqual([0, 4]);
  });
});

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
});

import { setImmediate as aTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { atOnce, each, inTurns } from '../../../src/bot/shared/turns.ts';

/** In which order three items, and other work that waits for its turn twice, are done. */
async function order(msOfStep: number): Promise<string[]> {
  const done: string[] = [];
  let now = 0;
  const steps = each([1, 2, 3], (item) => {
    now += msOfStep;
    done.push(`item ${item}`);
    return item * 2;
  });
  const working = inTurns(steps, () => now);
  for (const n of [1, 2]) {
    await aTurn();
    done.push(`other ${n}`);
  }
  expect(await working).toEqual([2, 4, 6]);
  return done;
}

it('lets other work have its turn between long steps, and does short ones together', async () => {
  const long = await order(30);
  expect(long.indexOf('other 1')).toBeLessThan(long.indexOf('item 3'));
  expect(await order(1)).toEqual(['item 1', 'item 2', 'item 3', 'other 1', 'other 2']);
});

it('does all steps at once where nothing else is waiting', () => {
  expect(atOnce(each(['a', 'b'], (item) => item.toUpperCase()))).toEqual(['A', 'B']);
});

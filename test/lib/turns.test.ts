import { setImmediate as aTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { atOnce, each, inTurns } from '../../src/lib/turns.ts';

it('lets other work have its turn after each step', async () => {
  const done: string[] = [];
  const working = inTurns(
    each([1, 2, 3], (item) => {
      done.push(`item ${item}`);
      return item * 2;
    }),
  );
  for (const n of [1, 2]) {
    await aTurn();
    done.push(`other ${n}`);
  }
  expect(await working).toEqual([2, 4, 6]);
  expect(done.indexOf('other 1')).toBeLessThan(done.indexOf('item 3'));
});

it('does all steps at once where nothing else is waiting', () => {
  expect(atOnce(each(['a', 'b'], (item) => item.toUpperCase()))).toEqual(['A', 'B']);
});

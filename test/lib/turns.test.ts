import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns } from '../../src/lib/turns.ts';

it('lets a few go on in each turn of the loop, in their order, and what comes later behind them', async () => {
  const order: string[] = [];
  const mine = createTurns(2);
  for (const name of ['a', 'b', 'c', 'd', 'e']) void mine().then(() => order.push(name));
  for (let turns = 1; turns <= 2; turns += 1) {
    await turn();
    order.push(`turn ${turns}`);
  }
  await mine();
  expect(order).toEqual(['a', 'b', 'turn 1', 'c', 'd', 'turn 2', 'e']);
});

it('goes on after it has been idle', async () => {
  const mine = createTurns(1);
  await mine();
  await turn();
  await mine();
});

import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBatch } from '../../src/lib/batch.ts';

/** Doubles numbers, and remembers in which company; a batch with a negative one fails. */
function doubling(most: number) {
  const batches: number[][] = [];
  const double = createBatch(most, async (numbers: number[]) => {
    batches.push(numbers);
    if (numbers.some((n) => n < 0)) throw new Error('negative');
    return numbers.map((n) => n * 2);
  });
  return { batches, double };
}

describe('work that is done together', () => {
  it('goes in one go where it is handed in within one turn, though not at the same moment', async () => {
    const { batches, double } = doubling(9);
    const first = double(1);
    await Promise.resolve();
    expect(await Promise.all([first, double(2), double(3)])).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('is collected for as many turns as there is time', async () => {
    const batches: number[][] = [];
    const patient = createBatch(
      9,
      async (numbers: number[]) => {
        batches.push(numbers);
        return numbers;
      },
      3,
    );
    const first = patient(1);
    await turn();
    await Promise.all([first, patient(2)]);
    expect(batches).toEqual([[1, 2]]);
  });

  it('goes alone where it comes alone', async () => {
    const { batches, double } = doubling(9);
    expect([await double(1), await double(2)]).toEqual([2, 4]);
    expect(batches).toEqual([[1], [2]]);
  });

  it('never exceeds the most that may go in one go', async () => {
    const { batches, double } = doubling(2);
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2], [3]]);
  });

  it('fails together, and what comes after is not touched by it', async () => {
    const { double } = doubling(2);
    const ends = await Promise.allSettled([1, -2, 3].map(double));
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    await turn();
    expect(await double(4)).toBe(8);
  });

  it('leaves none waiting where the work answers too little', async () => {
    const first = createBatch(9, async (words: string[]) => words.slice(0, 1));
    const ends = await Promise.allSettled([first('a'), first('b')]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

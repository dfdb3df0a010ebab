import { describe, expect, it } from 'vitest';
import { Names } from '../../../../src/bot/asking/withholding/names.ts';
import { Withholder } from '../../../../src/bot/asking/withholding/withhold.ts';

const BLOCKS = 5_000;
/** As `withhold.ts` has it. */
const AT_ONCE = 200;

function someNames(): Names {
  const names = new Names();
  names.hide({ id: 'a', number: 1, uuid: null, titles: ['The vault of the bank is open'], rootCause: null });
  return names;
}

/** How much of some work was done in each turn of the event loop. */
async function perTurn(work: (done: () => void) => Promise<unknown>): Promise<number[]> {
  const turns: number[] = [];
  let count = 0;
  let isOver = false;
  const watch = () => {
    turns.push(count);
    count = 0;
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  await work(() => {
    count += 1;
  });
  isOver = true;
  return [...turns, count];
}

describe('a long answer of short lines', () => {
  const answer = Array.from({ length: BLOCKS }, (_, i) => `# about #${100 + i}\n`).join('');

  it('is judged some lines at a time, and other work has its turn between', async () => {
    const turns = await perTurn(async (done) => {
      const withholder = new Withholder(someNames(), async () => {
        done();
        return false;
      });
      await withholder.grow(answer);
      expect(await withholder.end(true)).toBe(answer);
    });
    expect(turns.reduce((sum, count) => sum + count, 0)).toBe(BLOCKS);
    expect(Math.max(...turns)).toBeLessThanOrEqual(AT_ONCE);
  });

  it('comes whole, in order, whatever the steps by which it grows', async () => {
    const withholder = new Withholder(someNames(), async () => false);
    let shown = '';
    for (let length = 0; length < answer.length; length += 7_919) {
      const now = await withholder.grow(answer.slice(0, length));
      expect(now.startsWith(shown)).toBe(true);
      shown = now;
    }
    await withholder.grow(answer);
    expect(await withholder.end(true)).toBe(answer);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../src/lib/clock.ts';

const bounds = { firstMs: 1_000, maxMs: 60_000 };

describe('waiting longer after each failure', () => {
  it('doubles up to its bound', () => {
    const waits = [0, 1, 2, 5, 6, 7, 1_000].map((attempt) => backoffMs(attempt, bounds, () => 1));
    expect(waits).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('never waits less than half of that, so that nobody asks again at once', () => {
    expect([0, 1, 6].map((attempt) => backoffMs(attempt, bounds, () => 0))).toEqual([500, 1_000, 30_000]);
  });

  it('is a whole number of milliseconds within the bound, whatever came before', () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const wait = backoffMs(attempt, bounds, () => random);
        return Number.isInteger(wait) && wait >= 500 && wait <= 60_000;
      }),
    );
  });
});

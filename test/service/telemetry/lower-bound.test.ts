import { expect, it } from 'vitest';
import { lowerBound } from '../../../src/service/telemetry/samples.ts';

it('is the index of the first value that is not below', () => {
  const values = [10, 20, 20, 30];
  expect([5, 10, 15, 20, 25, 30, 31].map((least) => lowerBound(values, least))).toEqual([
    0, 0, 1, 1, 3, 3, 4,
  ]);
  expect(lowerBound([], 1)).toBe(0);
});

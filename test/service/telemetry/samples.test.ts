import { describe, expect, it } from 'vitest';
import type { Points } from '../../../src/service/telemetry/model.ts';
import { asScraped } from '../../../src/service/telemetry/samples.ts';

describe('what a target exports', () => {
  const points = (values: readonly number[]): Points => ({
    times: Float64Array.from(values, (_, i) => 1_000 + i * 5_000),
    values: Float64Array.from(values),
  });
  const grid = { from: 1_000, stepMs: 5_000 };
  const times = (all: readonly { points: Points }[]) =>
    all.map(({ points: { times: at } }) => [...at].map((one) => (one - 1_000) / 5_000));

  it('has no sample where nothing was scraped, which Prometheus fills with the last', () => {
    const all = [
      { points: points([1, 2, 3, 3, 3, 7, 8]) },
      { points: points([10, 20, 30, 30, 30, 70, 80]) },
      { points: points([5, 6, 5, 5, 5, 6, 5]) },
      { points: points([4, 4, 4, 4, 4, 4, 4]) },
    ];
    expect(times(asScraped(all, grid))).toEqual(Array.from(all, () => [0, 1, 2, 5, 6]));
  });

  it('is left as it is where it is often still, or where one thing moves', () => {
    const still = [{ points: points([1, 1, 1, 2, 2, 2, 2]) }, { points: points([4, 4, 4, 4, 4, 4, 4]) }];
    expect(asScraped(still, grid)).toBe(still);
    const moving = [1, 2, 3].map((n) => ({ points: points([n, 2 * n, 3 * n, 3 * n, 5 * n, 6 * n]) }));
    const busy = [...moving, { points: points([1, 2, 3, 4, 5, 6]) }];
    expect(asScraped(busy, grid)).toBe(busy);
  });
});

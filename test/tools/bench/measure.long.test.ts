import { describe, expect, it } from 'vitest';
import { measure, table } from '../../../src/tools/bench/measure.ts';

describe('measure', () => {
  it('does the work once to warm up and seven times for the clock', async () => {
    let runs = 0;
    const measured = await measure('count', 1, () => runs++, 'other');
    expect(runs).toBe(8);
    expect(measured).toEqual({ name: 'count', micros: expect.any(Number), against: 'other' });
  });
});

describe('table', () => {
  it('lines the numbers up, and compares with what was measured in the same run', () => {
    const lines = [
      { name: 'bare', micros: 20 },
      { name: 'through the store', micros: 50, against: 'bare' },
      { name: 'alone', micros: 1000, against: 'never measured' },
    ];
    expect(table(lines)).toBe(
      [
        'what               µs each  a second  against',
        'bare                  20.0     50000',
        'through the store     50.0     20000  2.50 × bare',
        'alone               1000.0      1000',
      ].join('\n'),
    );
  });
});

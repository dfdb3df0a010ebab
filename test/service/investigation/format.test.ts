import { describe, expect, it } from 'vitest';
import {
  amount,
  capitalize,
  duration,
  joinNames,
  labelOf,
  level,
  measured,
  measuredBoth,
  timeOfDay,
} from '../../../src/service/investigation/format.ts';

describe('words for people', () => {
  it.each([
    [0.1234, '1', '12.3%'],
    [0.0026, '1', '0.26%'],
    [180.4, 'ms', '180 ms'],
    [2412, 'ms', '2.41 s'],
    [75, 's', '75 s'],
    [5_443_200, 's', '63 days'],
    [1, '{restart}', '1 restart'],
    [12_345, '{message}', '12,345 messages'],
    [57.31, '{request}/s', '57.3 requests/s'],
    [40, '', '40'],
    [1_572_864, 'By', '1.5 MiB'],
  ])('amount of %d %s is %s', (value, unit, text) => {
    expect(amount(value, unit)).toBe(text);
  });

  const BOUNDS = [0.005, 0.1, 0.2, 0.5, 1, 2.5, 10];
  it.each([
    [1.7, 'between 1 and 2.5 s'],
    [2.5, 'between 1 and 2.5 s'],
    [0.8, '800 ms'],
    [0.45, 'between 200 and 500 ms'],
    [0.07, 'between 5 and 100 ms'],
    [0.004, 'at most 5 ms'],
    [10, 'at least 10 s'],
    [0, '0 ms'],
  ])('say of a quantile of %d s no more than its bucket does: %s', (value, text) => {
    expect(measured(value, { unit: 's', bounds: BOUNDS })).toBe(text);
  });

  it('tell two quantiles of one bucket apart by where they were estimated to be', () => {
    const scale = { unit: 's', bounds: BOUNDS };
    expect(measuredBoth(0.8, 1.7, scale)).toEqual(['800 ms', 'between 1 and 2.5 s']);
    expect(measuredBoth(1.2, 1.7, scale)).toEqual(['1.2 s', '1.7 s']);
    expect(measuredBoth(0.0001, 0.004, { unit: 's', bounds: [0.005] })).toEqual(['0.1 ms', '4 ms']);
  });

  it('say of what a caller measured whose calls they are', () => {
    const signal = {
      ...{ id: 'a', name: 'a', label: 'p95 latency', unit: 's' },
      ...({ measure: 'latency', bad: 'high', metricType: 'gauge' } as const),
    };
    const edge = { caller: 'shop', callee: 'payments' };
    expect(labelOf({ signal, edge: null })).toBe('p95 latency');
    expect(labelOf({ signal, edge: { ...edge, side: 'caller' } })).toBe('p95 latency of calls to payments');
    expect(labelOf({ signal, edge: { ...edge, side: 'callee' } })).toBe('p95 latency of calls from shop');
  });

  it('do not say a noun twice', () => {
    expect(level('connections in use', 12, { unit: '{connection}' })).toBe('connections in use 12');
    expect(level('queue depth', 12, { unit: '{message}' })).toBe('queue depth 12 messages');
  });

  it('have lengths of time in the unit that fits', () => {
    expect([8_000, 480_000, 7_200_000, 200_000_000].map(duration)).toEqual(['8 s', '8 min', '2 h', '2 days']);
  });

  it('have times of day in UTC', () => {
    expect(timeOfDay(Date.UTC(2026, 2, 17, 9, 5, 59))).toBe('09:05 UTC');
  });

  it('join lists', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(joinNames)).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
    ]);
  });

  it('begin with an upper-case letter, unless with a name', () => {
    expect(['error rate', 'p95 latency'].map(capitalize)).toEqual(['Error rate', 'p95 latency']);
  });
});

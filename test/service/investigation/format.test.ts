import { describe, expect, it } from 'vitest';
import {
  amount,
  capitalize,
  duration,
  joinNames,
  level,
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

  it('do not say a noun twice', () => {
    expect(level('connections in use', 12, '{connection}')).toBe('connections in use 12');
    expect(level('queue depth', 12, '{message}')).toBe('queue depth 12 messages');
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

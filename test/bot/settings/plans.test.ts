import { describe, expect, it } from 'vitest';
import { nextDigest } from '../../../src/bot/digest/settings.ts';
import { isPlanned, readPlan } from '../../../src/bot/settings/plans.ts';
import { anAlert } from '../../support/an-alert.ts';

const NOW = Date.UTC(2026, 6, 10, 15, 0);
const HOUR = 3_600_000;

/** In New York it is 11 o’clock. */
const read = (words: string, now = NOW) =>
  readPlan(
    words,
    (time, after) => nextDigest({ days: '1234567', time, zone: 'America/New_York' }, after),
    now,
  );

describe('planned work', () => {
  it('has a scope, times in the zone of who writes it, and a title', () => {
    expect(read('payments,orders-* env:staging 22:00-23:30 "database upgrade"')).toEqual({
      scope: ['payments', 'orders-*', 'env:staging'],
      from: NOW + 11 * HOUR,
      until: NOW + 12.5 * HOUR,
      title: 'database upgrade',
    });
  });

  it('that has begun goes on until its end, also over midnight', () => {
    expect(read('payments 10:30-11:30')).toMatchObject({ from: NOW - HOUR / 2, until: NOW + HOUR / 2 });
    expect(read('payments 23:00-1:00', NOW + 13 * HOUR)).toMatchObject({
      from: NOW + 12 * HOUR,
      until: NOW + 14 * HOUR,
    });
  });

  it('of today that is over is tomorrow’s', () => {
    expect(read('payments 8:00-9:00')).toMatchObject({ from: NOW + 21 * HOUR, until: NOW + 22 * HOUR });
  });

  it('may begin now, for a length of time', () => {
    expect(read('payments 90m')).toEqual({
      scope: ['payments'],
      from: NOW,
      until: NOW + 1.5 * HOUR,
      title: '',
    });
  });

  it.each([
    ['payments', 'end'],
    ['payments tonight', 'end'],
    ['22:00-23:00', 'scope'],
    ['* 2h', 'scope'],
    ['payments 30d', 'long'],
    ['payments 0m', 'long'],
    ['payments 22:00-22:00', 'long'],
    ['payments 12:30-12:20', 'order'],
  ])('%s is asked for its %s', (words, what) => {
    expect(read(words)).toBe(what);
  });
});

describe('an alert belongs to planned work', () => {
  const alert = anAlert({
    title: 'HighErrorRate payments-api',
    service: 'payments-api',
    host: 'https://api.example.com:443/health',
    severity: 'high',
    tags: ['cluster:eu', 'team:pay'],
  });
  it.each<[string[], boolean]>([
    [['payments-api'], true],
    [['Payments-*'], true],
    [['orders', 'payments-api'], true],
    [['payments'], false],
    [['env:production'], true],
    [['env:staging'], false],
    [['payments-*', 'cluster:eu'], true],
    [['payments-*', 'cluster:us'], false],
    [['api.example.com'], true],
    [['instance:api.example.com'], true],
    [['cluster:e*', 'severity:high', 'alertname:HighErrorRate'], true],
    [['alertname:DiskFull'], false],
  ])('of %j: %s', (scope, isOf) => {
    expect(isPlanned({ scope }, alert, 'production')).toBe(isOf);
  });

  it('only if it names a service where the plan does', () => {
    expect(
      isPlanned({ scope: ['payments'] }, anAlert({ service: null, host: null, tags: [] }), 'production'),
    ).toBe(false);
  });
});

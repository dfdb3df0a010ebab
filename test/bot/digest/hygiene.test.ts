import { describe, expect, it } from 'vitest';
import { rulesOf } from '../../../src/bot/digest/hygiene.ts';
import type { HygieneAlert, HygieneIssue } from '../../../src/bot/store/hygiene.ts';

const MINUTE = 60_000;

function issue(id: string, change: Partial<HygieneIssue> = {}): HygieneIssue {
  return {
    id,
    title: 'HighErrorRate · checkout',
    service: 'checkout',
    status: 'resolved',
    hidden: 0,
    joinedInto: null,
    symptomOf: null,
    isTouched: false,
    isVotedDown: false,
    ...change,
  };
}

/** Firings (`+`) and recoveries (`-`) of an issue, at these minutes. */
function alertsOf(issueId: string, ...at: readonly [sign: '+' | '-', minutes: number][]): HygieneAlert[] {
  return at.map(([sign, minutes]) => ({ issueId, isFiring: sign === '+', at: minutes * MINUTE }));
}

describe('the hygiene of a rule', () => {
  it('counts what its alerts came to, whatever service they were about', () => {
    const issues = [
      issue('a'),
      issue('b', { title: 'HighErrorRate · orders', service: 'orders', isTouched: true, isVotedDown: true }),
      issue('c', { status: 'muted', joinedInto: 'a' }),
    ];
    const alerts = [
      ...alertsOf('a', ['+', 0], ['-', 3], ['+', 10], ['+', 12], ['-', 15]),
      ...alertsOf('b', ['+', 0], ['-', 40]),
      ...alertsOf('c', ['+', 5]),
    ];
    expect(rulesOf(issues, alerts)).toEqual([
      {
        rule: 'HighErrorRate',
        firings: 5,
        issues: 3,
        alone: 1,
        typicalMs: 5 * MINUTE,
        muted: 1,
        votedDown: 1,
        merged: 1,
        untouched: 2,
      },
    ]);
  });

  it('is called by what its title says before the service, without the word that leads to it', () => {
    const issues = [issue('a', { title: 'High error rate of payments', service: 'payments' })];
    expect(rulesOf(issues, alertsOf('a', ['+', 0])).map(({ rule }) => rule)).toEqual(['High error rate']);
  });

  it('has the rule that fired most often first, and none that did not fire', () => {
    const issues = [
      issue('a', { title: 'DiskFull', service: null }),
      issue('b', { title: 'QueueGrows', service: null }),
      issue('c', { title: 'Only recovered', service: null }),
    ];
    const alerts = [
      ...alertsOf('a', ['+', 0]),
      ...alertsOf('b', ['+', 0], ['+', 9]),
      ...alertsOf('c', ['-', 1]),
    ];
    expect(rulesOf(issues, alerts).map(({ rule, firings, typicalMs }) => [rule, firings, typicalMs])).toEqual(
      [
        ['QueueGrows', 2, null],
        ['DiskFull', 1, null],
      ],
    );
  });

  it('is called by what its title says before its labels', () => {
    const title = 'High error rate (production checkout-7d9f checkout critical)';
    const [rule] = rulesOf([issue('a', { title })], alertsOf('a', ['+', 0]));
    expect(rule?.rule).toBe('High error rate');
  });

  it('is called by its own name where a sentence about a service follows', () => {
    const issues = [
      issue('a', { title: 'SlowRequests: p95 of checkout is 2.5s' }),
      issue('b', { title: 'SlowRequests: p95 of orders is 2.8s', service: 'orders' }),
      issue('c', { title: 'RedisDown: Redis of loans is down', service: 'redis' }),
    ];
    const alerts = [...alertsOf('a', ['+', 0]), ...alertsOf('b', ['+', 0]), ...alertsOf('c', ['+', 0])];
    expect(rulesOf(issues, alerts).map(({ rule, firings }) => [rule, firings])).toEqual([
      ['SlowRequests', 2],
      ['RedisDown', 1],
    ]);
  });

  it('is called by its title where nothing else is left of it', () => {
    const [rule] = rulesOf([issue('a', { title: 'checkout' })], alertsOf('a', ['+', 0]));
    expect(rule?.rule).toBe('checkout');
  });
});

import { describe, expect, it } from 'vitest';
import { says, toolMessage } from '../fixtures.ts';

const kindOf = (text: string, parts: Record<string, unknown> = {}) =>
  says(toolMessage({ text, ...parts }), 'kind').kind;

describe('an alert that looks like a report', () => {
  it.each([
    'We have detected that shop.example.io is down',
    'We could not reach api.shop.example for 5 minutes',
    '[2026-11-18 09:03:00] High error rate on checkout\ncheckout-1: 120\ncheckout-2: 110\ncheckout-3: 98',
    'Connection count by host too high\nweb-1: 900\nweb-2: 870\nweb-3: 850',
    '[CRITICAL] Errors today exceed the limit\ncheckout: 120\nsearch: 12\ncart: 9',
    'Daily backup failed on db-3',
    'No orders received in the last 24 hours',
    '[FIRING] Checkout 5xx\nSummary: 5 % of requests fail\nRecommendation: roll back',
    'Nightly report job crashed with exit code 1',
  ])('%s', (text) => {
    expect(kindOf(text)).toBe('firing');
  });
});

describe('a reply below an alert', () => {
  const thread_ts = '1794990000.000100';

  it('is not an alert if only a sentence mentions a problem', () => {
    expect(kindOf('orders-db is refusing connections', { thread_ts })).toBe('not_an_alert');
    expect(kindOf('orders-db is refusing connections')).toBe('firing');
  });

  it('is an alert if it states a state, and a recovery in any words', () => {
    expect(kindOf('[FIRING] orders-db refuses connections', { thread_ts })).toBe('firing');
    expect(kindOf('orders-db has recovered', { thread_ts })).toBe('resolved');
  });
});

import { describe, expect, it } from 'vitest';
import { type Fact, keyOf } from '../../../src/service/investigation/fact.ts';

const WINDOW = { from: 0, to: 3_600_000 };

function errorsOf(service: string, more: Partial<Fact> = {}): Fact {
  return {
    what: 'departure',
    code: 'errors',
    of: { service },
    since: 1_000,
    until: null,
    level: { now: 0.3, before: 0.001, unit: '1' },
    from: { source: 'prometheus', query: 'sum(rate(x[5m]))', window: WINDOW, stepMs: 60_000 },
    ...more,
  };
}

describe('the key of a fact', () => {
  it('is the same for the same trouble at another time, however bad', () => {
    const later = errorsOf('cart', { since: 9_000, level: { now: 0.9, before: 0, unit: '1' } });
    expect(keyOf(errorsOf('cart'))).toBe(keyOf(later));
  });

  it('differs by place, by who calls, and by what is measured', () => {
    const keys = [
      errorsOf('cart'),
      errorsOf('stock'),
      errorsOf('cart', { of: { service: 'cart', caller: 'web' } }),
      errorsOf('cart', { code: 'latency' }),
    ].map(keyOf);
    expect(new Set(keys).size).toBe(4);
  });
});

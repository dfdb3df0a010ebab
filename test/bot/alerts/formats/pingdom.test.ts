import { describe, expect, it } from 'vitest';
import { messageOf, says, variant } from '../fixtures.ts';

describe("a check of Pingdom's", () => {
  const DOWN = 'pingdom-down';

  it('is up again, and the same check', () => {
    const message = variant(DOWN, { title: 'Checkout (shop.example.io) is UP', text: '' });
    expect(says(message, 'kind', 'host', 'fingerprint')).toStrictEqual({
      kind: 'resolved',
      host: 'shop.example.io',
      ...says(messageOf(DOWN), 'fingerprint'),
    });
  });

  it('is recognised by its page, and has no host where the title names none', () => {
    const message = { ...variant(DOWN, { title: 'Checkout is DOWN' }), username: 'x' };
    expect(says(message, 'format', 'host')).toStrictEqual({ format: 'pingdom', host: null });
  });
});

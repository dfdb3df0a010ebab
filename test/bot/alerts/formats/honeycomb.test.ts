import { describe, expect, it } from 'vitest';
import { messageOf, says, variant } from '../fixtures.ts';

const TRIGGERED = 'honeycomb-trigger';

describe('a trigger of Honeycomb', () => {
  it.each([
    ['Triggered: Slow checkout', 'firing'],
    ['Resolved: Slow checkout', 'resolved'],
    ['OK: Slow checkout', 'resolved'],
  ])('%s is %s, and the same alert', (title, kind) => {
    expect(says(variant(TRIGGERED, { title }), 'kind', 'title', 'fingerprint')).toStrictEqual({
      kind,
      title: 'Slow checkout',
      ...says(messageOf(TRIGGERED), 'fingerprint'),
    });
  });

  it.each([
    ['a30200', 'firing'],
    ['2eb886', 'resolved'],
  ])('without a word gets its state from its colour %s', (color, kind) => {
    expect(says(variant(TRIGGERED, { title: 'Slow checkout', color }), 'kind')).toStrictEqual({ kind });
  });

  it('takes environment and dataset from its address, which may be encoded or without', () => {
    const at = (path: string) =>
      says(
        variant(TRIGGERED, { title_link: `https://ui.honeycomb.io/acme/${path}` }),
        'environment',
        'service',
      );
    expect(at('environments/pre%20prod/datasets/web%2Fapi/triggers/x1')).toStrictEqual({
      environment: 'pre prod',
      service: 'web/api',
    });
    expect(at('environments/%ZZ/datasets/web/triggers/x1')).toStrictEqual({
      environment: '%ZZ',
      service: 'web',
    });
    expect(at('datasets/web/triggers/x1')).toStrictEqual({ environment: null, service: 'web' });
  });
});

import { describe, expect, it } from 'vitest';
import { matchingPattern, patternProblem } from '../../src/filing/patterns.ts';
import { ownMs } from '../support/own-time.ts';

describe('a pattern of a channel', () => {
  it.each([
    ['checkout', 'Checkout-API is down', true],
    ['checkout', 'payments are down', false],
    // Words stand as they are: nothing in them is an expression.
    ['disk (90%)', 'Disk (90%) on web-1', true],
    ['disk.full', 'disk full', false],
    ['/^\\[firing/', '[FIRING:1] HighErrorRate', true],
    ['/disk.full/i', 'Disk full', true],
    ['/web-\\d+$/', 'on host web-12', true],
    ['/web-\\d+$/', 'web-12 is fine', false],
    ['Älarm', 'älarm', true],
  ])('%s against “%s”: %s', (pattern, text, matches) => {
    expect(matchingPattern([pattern], [text])).toBe(matches ? pattern : null);
  });

  it('is the first that matches any of the texts', () => {
    expect(matchingPattern(['nothing', 'datadog', 'cpu'], ['CPU is high', 'Datadog'])).toBe('datadog');
    expect(matchingPattern([], ['CPU is high'])).toBeNull();
    expect(matchingPattern(['cpu'], [])).toBeNull();
  });

  it('that cannot be read matches nothing, and says what is wrong', () => {
    expect(matchingPattern(['/(/'], ['('])).toBeNull();
    expect(patternProblem('/(web/')).toBe('“/(web/” is no regular expression: missing closing ): “(web”.');
    expect(patternProblem('/(?=x)/')).toMatch(/is no regular expression/);
    expect(patternProblem('x'.repeat(201))).toMatch(/is longer than 200 characters/);
    for (const fine of ['checkout', '(', '/a|b/', '/a{2,3}/i']) expect(patternProblem(fine)).toBeNull();
  });

  it('takes time in proportion to the text, also where others explode', () => {
    const evil = ['/^(a+)+$/', '/(a|a)*b/', '/(.*a){20}$/', '/a*a*a*a*a*a*c/'];
    const seconds = (length: number) => {
      const began = ownMs();
      for (let n = 0; n < 5; n += 1) matchingPattern(evil, [`${'a'.repeat(length)}!`]);
      return ownMs() - began;
    };
    seconds(1_000);
    // A backtracking engine needs longer than the universe is old for 10,000.
    expect(seconds(10_000)).toBeLessThan(60_000);
  });
});

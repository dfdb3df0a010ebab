import { describe, expect, it } from 'vitest';
import {
  boundedSubjects,
  isTooLarge,
  matchesAny,
  patternProblem,
  patternsProblem,
} from '../../../../src/bot/settings/patterns/patterns.ts';

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
    expect(matchesAny(pattern, [text])).toBe(matches);
  });

  it('matches any of the texts', () => {
    expect(matchesAny('datadog', ['CPU is high', 'Datadog'])).toBe(true);
    expect(matchesAny('cpu', [])).toBe(false);
  });

  it('that cannot be read matches nothing, and says what is wrong', () => {
    expect(matchesAny('/(/', ['('])).toBe(false);
    expect(patternProblem('/(web/')).toBe(
      '“/(web/” is not a valid regular expression: missing closing ): “(web”.',
    );
    expect(patternProblem('/(?=x)/')).toMatch(/is not a valid regular expression/);
    expect(patternProblem('x'.repeat(201))).toMatch(/is longer than 200 characters/);
    for (const fine of ['checkout', '(', '/a|b/', '/a{2,3}/i']) expect(patternProblem(fine)).toBeNull();
  });

  it('is refused where its repetitions, written out, are too many, and not even made', () => {
    const many = `/(${Array.from({ length: 20 }, (_, n) => `.{0,${999 - n}}`).join('|')})#/`;
    for (const large of [many, '/((a{9}){9}){9}/', '/\\pL{100}/', '/x{999}/', `/${'(a?){40}'.repeat(20)}/`]) {
      expect(isTooLarge(large), large).toBe(true);
      expect(patternProblem(large)).toMatch(/is too large: its repetitions.* Repeat less, for example/);
    }
  });

  it.each([
    '/\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}/',
    '/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/',
    '/^(prod|staging)-(web|db)-\\d{2,4}: .{0,100} failed$/',
    '/\\Q{999}\\E/',
    '/[{999}]+/',
    '/a\\{999}/',
    '{999}'.repeat(40),
  ])('%s is fine', (pattern) => {
    expect(patternProblem(pattern)).toBeNull();
  });

  it('is refused where all of a list are too large together', () => {
    const patterns = Array.from({ length: 20 }, (_, n) => `/${n}[a-z]{200}/`);
    expect(patternsProblem(patterns.slice(0, 5))).toBeNull();
    expect(patternsProblem(patterns)).toMatch(/^Together these patterns are too large/);
  });

  it('is one of at most fifty', () => {
    const patterns = Array.from({ length: 51 }, (_, n) => `p${n}`);
    expect(patternsProblem(patterns.slice(1))).toBeNull();
    expect(patternsProblem(patterns)).toMatch(/^51 patterns is too many; the limit is 50/);
  });
});

describe('the texts of a message', () => {
  it('are looked at as far as they begin: each, and all together', () => {
    const bounded = boundedSubjects(['a', '', ...Array.from({ length: 5 }, () => 'x'.repeat(40_000))]);
    expect(bounded.map((text) => text.length)).toEqual([1, 10_000, 9_999]);
    expect(boundedSubjects(Array.from({ length: 1_000 }, () => 'x'))).toHaveLength(100);
  });
});

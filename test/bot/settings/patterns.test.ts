import { describe, expect, it } from 'vitest';
import {
  excludedBy,
  patternNotes,
  patternProblem,
  patternsIn,
  patternsProblem,
} from '../../../src/bot/settings/patterns.ts';
import { anAlert } from '../../support/an-alert.ts';

const messages = [
  { alert: anAlert({ title: 'CPU is high', service: 'checkout' }), sender: 'Prod alerts' },
  { alert: anAlert({ title: 'Disk is full' }), sender: null },
];

function excludes(pattern: string, description: string): boolean {
  const alert = anAlert({ title: null, description });
  return excludedBy({ include: [], exclude: [pattern] }, { alert, sender: null }) !== null;
}

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
    // One that cannot be read matches nothing.
    ['/(/', '(', false],
  ])('%s against “%s”: %s', (pattern, text, matches) => {
    expect(excludes(pattern, text)).toBe(matches);
  });

  it('is matched against the beginning of a long message', () => {
    expect(excludes('needle', `${'x'.repeat(9_000)} needle`)).toBe(true);
    expect(excludes('needle', `${'x'.repeat(11_000)} needle`)).toBe(false);
  });

  it('that cannot be used says what is wrong', () => {
    expect(patternProblem('/(web/')).toBe(
      '“/(web/” is not a valid regular expression: missing closing ): “(web”.',
    );
    expect(patternProblem('/(?=x)/')).toMatch(/is not a valid regular expression/);
    expect(patternProblem('x'.repeat(201))).toMatch(/is longer than 200 characters/);
    for (const large of ['/((a{9}){9}){9}/', '/x{999}/', `/${'(a?){40}'.repeat(20)}/`]) {
      expect(patternProblem(large)).toMatch(/is too large: its repetitions.* Repeat less, for example/);
    }
  });

  it.each([
    'checkout',
    '(',
    '/a|b/',
    '/a{2,3}/i',
    '/\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}/',
    '/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/',
    '/^(prod|staging)-(web|db)-\\d{2,4}: .{0,100} failed$/',
    '/\\Q{999}\\E/',
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

describe('patterns as they are typed', () => {
  it('are one a line, each counted once, without empty lines', () => {
    expect(patternsIn(' checkout \n\n/a b/\r\ncheckout\n')).toEqual(['checkout', '/a b/']);
  });

  it('say how many of the last messages they match: what an alert says, who posted it, and its tool', () => {
    expect(patternNotes(['cpu', 'prod alerts', 'Alertmanager', '/^disk/', 'nothing'], messages)).toEqual([
      '“cpu” matches 1 of the last 2 messages here.',
      '“prod alerts” matches 1 of the last 2 messages here.',
      '“Alertmanager” matches 2 of the last 2 messages here.',
      '“/^disk/” matches 1 of the last 2 messages here.',
      '“nothing” matches 0 of the last 2 messages here.',
    ]);
    expect(patternNotes(['cpu'], messages.slice(0, 1))).toEqual(['“cpu” matches 1 of 1 message here.']);
  });

  it('say what is wrong with them', () => {
    expect(patternNotes(['/a(/', 'cpu'], messages)).toEqual([
      expect.stringMatching(/^⚠️ “\/a\(\/” is not a valid regular expression: /),
      '“cpu” matches 1 of the last 2 messages here.',
    ]);
  });

  it('say so where nothing is on record yet', () => {
    expect(patternNotes(['cpu'], [])).toEqual([
      '“cpu” can be used; no messages from this channel are on record yet.',
    ]);
  });

  it('are noted up to ten', () => {
    const many = Array.from({ length: 12 }, (_, i) => `p${i}`);
    expect(patternNotes(many, messages).slice(-2)).toEqual([
      '“p9” matches 0 of the last 2 messages here.',
      '… and 2 more',
    ]);
  });
});

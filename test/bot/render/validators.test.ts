import { describe, expect, it } from 'vitest';
import { limitProblems } from '../../support/block-limits.ts';
import { unsafeSpots } from '../../support/block-safety.ts';

const text = (value: string) => ({ type: 'mrkdwn', text: value });
const section = (value: string) => ({ type: 'section', text: text(value) });

describe('the checks of the property tests', () => {
  it.each([
    ['no text', { text: ' ', blocks: [section('a')] }],
    ['no blocks', { text: 'a', blocks: [] }],
    ['51 blocks', { text: 'a', blocks: Array.from({ length: 51 }, () => section('a')) }],
    ['a long section', { text: 'a', blocks: [section('a'.repeat(3001))] }],
    ['an empty section', { text: 'a', blocks: [{ type: 'section' }] }],
    [
      'eleven fields',
      { text: 'a', blocks: [{ type: 'section', fields: Array.from({ length: 11 }, () => text('a')) }] },
    ],
    ['a long field', { text: 'a', blocks: [{ type: 'section', fields: [text('a'.repeat(2001))] }] }],
    [
      'eleven elements',
      { text: 'a', blocks: [{ type: 'context', elements: Array.from({ length: 11 }, () => text('a')) }] },
    ],
    ['long Markdown', { text: 'a', blocks: [{ type: 'markdown', text: 'a'.repeat(12_001) }] }],
    ['too much together', { text: 'a', blocks: Array.from({ length: 5 }, () => section('a'.repeat(2900))) }],
    ['an unknown block', { text: 'a', blocks: [{ type: 'poem' }] }],
    ['half a character', { text: 'a', blocks: [section('\ud83d')] }],
  ])('refuse %s', (_, message) => {
    expect(limitProblems(message).length).toBeGreaterThan(0);
  });

  it.each([
    '<!channel>',
    '<@U0BAD>',
    '<#C1>',
    'a & b',
    'a < b',
    'a > b',
    '<javascript:x|y>',
    '<mailto:x@y.example>',
    '<https://u:p@evil.example/>',
    '<https://evil.example/|https://bank.example>',
    '<!date^1^{time}|forged>',
  ])('find %s in mrkdwn', (value) => {
    expect(unsafeSpots({ text: value }).length).toBeGreaterThan(0);
    expect(unsafeSpots({ text: 'a', blocks: [section(value)] }).length).toBeGreaterThan(0);
  });

  it.each(['<!here>', '[a](javascript:x)', '[a]: javascript:x'])('find %s in Markdown', (value) => {
    expect(unsafeSpots({ text: 'a', blocks: [{ type: 'markdown', text: value }] }).length).toBeGreaterThan(0);
  });

  it('let pass what the program builds', () => {
    const built =
      '<@U1> <#C1> <https://a.example/x?y=1&amp;z=2|Open> <!date^1^{date_short_pretty} {time}|1970-01-01 00:00 UTC>';
    expect(unsafeSpots({ text: built }, { users: ['U1'], channels: ['C1'] })).toEqual([]);
  });
});

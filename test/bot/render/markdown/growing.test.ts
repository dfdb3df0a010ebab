import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settledMarkdown, wholeMarkdown } from '../../../../src/bot/render/markdown/growing.ts';
import { runs } from '../../../support/property-runs.ts';

const Z = '\u200b';

describe('what is certain of a growing answer', () => {
  it.each([
    ['The pool of check', 'The pool of check'],
    ['  \n\nThe pool', 'The pool'],
    ['See [the run', 'See '],
    ['See [the runbook]', 'See '],
    ['See [the runbook](https://r.exam', 'See '],
    ['See [the runbook](https://r.example/a "Tit', 'See '],
    ['See [the runbook](https://r.example/a)', 'See [the runbook](https://r.example/a)'],
    ['See ![a graph', 'See '],
    ['Look out!', 'Look out'],
    ['arr[0] and', 'arr[0] and'],
    ['[a](javascript:x', `[a]${Z}(javascript:x`],
    [
      '[bank.example](https://evil.example/x) now',
      '[bank.example (evil.example)](https://evil.example/x) now',
    ],
    ['a]: b', 'a'],
    ['done ``', 'done '],
    ['text\n```sq', 'text\n'],
    ['text\n```sql\nselect 1', 'text\n```sql\nselect 1'],
    ['<!channel> a <@U1', '&lt;!channel&gt; a &lt;@U1'],
    ['half \ud83d', 'half '],
  ])('of %j is %j', (markdown, expected) => {
    expect(settledMarkdown(markdown)).toBe(expected);
  });

  it('is in the end all that was to be said', () => {
    expect(wholeMarkdown('See [the run')).toBe('See [the run');
    expect(wholeMarkdown(`${'x'.repeat(20)} [a](b)`)).toBe(`${'x'.repeat(20)} [a]${Z}(b)`);
  });
});

const piece = fc.constantFrom(
  ...[
    '[',
    ']',
    '(',
    ')',
    '!',
    '\\',
    ':',
    '`',
    '```',
    '~~~',
    '\n',
    '\r\n',
    ' ',
    '"',
    '.',
    'a',
    '- ',
    '> ',
    '#12',
  ],
  ...[
    '](',
    ']:',
    '](https://',
    'http://x.example',
    'HTTPS://',
    'https://b.example/a_(b)',
    'bank.example',
    'www.',
  ],
  ...[
    '<!channel>',
    '<@U0ALICE001>',
    '<https://x|y>',
    '&lt;',
    '\u0000',
    '\u202e',
    '\u{1f525}',
    '\ud83d',
    '\udd25',
  ],
  ...['[a](https://r.example/a "T")', '[x'.repeat(3), 'w'.repeat(310)],
);
const answer = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
const RUNS = { numRuns: runs(3_000) };

describe('an answer that grows by any pieces', () => {
  it('never shows what its next words would change', () => {
    fc.assert(
      fc.property(answer, fc.nat(200), fc.nat(200), (text, a, b) => {
        const [first, second] = [Math.min(a, b), Math.max(a, b)];
        const before = settledMarkdown(text.slice(0, first));
        const after = settledMarkdown(text.slice(0, second));
        expect(after.startsWith(before)).toBe(true);
        expect(wholeMarkdown(text).startsWith(after)).toBe(true);
      }),
      RUNS,
    );
  });

  it('is whole once a line break settles its last line', () => {
    fc.assert(
      fc.property(answer, (text) => {
        expect(settledMarkdown(`${text}\n`)).toBe(wholeMarkdown(`${text}\n`));
      }),
      RUNS,
    );
  });

  it('lets nothing out that could mention anybody', () => {
    fc.assert(
      fc.property(answer, fc.nat(200), (text, length) => {
        expect(settledMarkdown(text.slice(0, length))).not.toMatch(/[<>]/u);
        expect(wholeMarkdown(text)).not.toMatch(/[<>]/u);
      }),
      RUNS,
    );
  });

  it('holds back a link that is begun, and nothing else', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 30 }), fc.nat(300), (text, length) => {
        const soFar = text.slice(0, length);
        expect(settledMarkdown(soFar)).toBe(soFar.trimStart());
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitMarkdown } from '../../../../src/bot/render/markdown/split.ts';
import { blockCost, blockCount } from '../../../../src/bot/render/measure.ts';

const MOST = { cost: 1000, blocks: 10 };

describe('Markdown in parts', () => {
  it('splits at a blank line', () => {
    const paragraph = (letter: string): string => `${letter.repeat(200)}\n${letter.repeat(200)}`;
    expect(splitMarkdown(`${paragraph('a')}\n\n${paragraph('b')}`, MOST)).toEqual([
      paragraph('a'),
      paragraph('b'),
    ]);
  });

  it('closes code that goes on, and opens it again', () => {
    const lines = Array.from({ length: 4 }, (_, index) => `${index}`.repeat(300));
    expect(splitMarkdown(['~~~sql', ...lines, '~~~', 'after'].join('\n'), MOST)).toEqual([
      `~~~sql\n${lines[0]}\n${lines[1]}\n~~~`,
      `~~~sql\n${lines[2]}\n${lines[3]}\n~~~\nafter`,
    ]);
  });

  it('cuts a long line at a word, and never within an entity', () => {
    const parts = splitMarkdown(`${'word '.repeat(100)}${'&lt;'.repeat(200)}`, MOST);
    expect(parts.every((part) => /^(word|&lt;|\s)*$/u.test(part))).toBe(true);
    expect(parts.length).toBeGreaterThan(3);
  });

  it('leaves a line as it was where its pieces stand in one part', () => {
    const parts = splitMarkdown('`'.repeat(370), MOST);
    expect(parts).toEqual(['`'.repeat(370)]);
    const long = splitMarkdown(`${'&amp;'.repeat(50)}\nafter`, MOST);
    expect(long.join('')).toBe(`${'&amp;'.repeat(50)}\nafter`);
  });

  it('knows the end of code by any longer fence', () => {
    const lines = Array.from({ length: 4 }, (_, index) => `${index}`.repeat(300));
    const code = ['```', '0', '`'.repeat(11)];
    expect(splitMarkdown([...code, ...lines].join('\n'), MOST)).toEqual([
      [...code, ...lines.slice(0, 2)].join('\n'),
      lines.slice(2).join('\n'),
    ]);
  });

  it('counts the blocks that Slack makes of it', () => {
    const markdown = Array.from({ length: 30 }, (_, index) => `# Heading ${index}`).join('\n');
    expect(splitMarkdown(markdown, { cost: 100_000, blocks: 10 }).length).toBe(8);
  });

  it('keeps every part within its limits', () => {
    const piece = fc.constantFrom(
      '```\n',
      '~~~~ x\n',
      'word ',
      '&lt;',
      '&',
      '\n',
      '\n\n',
      '# h\n',
      'x'.repeat(700),
      '---\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
        for (const text of splitMarkdown(pieces.join(''), MOST)) {
          expect(blockCost({ type: 'markdown', text })).toBeLessThanOrEqual(MOST.cost);
          expect(blockCount({ type: 'markdown', text })).toBeLessThanOrEqual(MOST.blocks);
        }
      }),
    );
  });
});

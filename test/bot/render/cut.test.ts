import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutEscaped, cutEscapedBytes, literal } from '../../../src/bot/render/escape.ts';
import { anyText } from '../../support/arbitrary-views.ts';
import { unsafeSpots } from '../../support/block-safety.ts';

describe('text that is too long', () => {
  it('is cut at a word and says how much is missing', () => {
    expect(cutEscaped(`${'word '.repeat(20)}end`, 80)).toBe(
      'word word word word word word… shortened: 74 more characters',
    );
  });

  it('is cut before an entity, a token or a character that would be torn', () => {
    expect(cutEscaped('x'.repeat(30) + '&amp;'.repeat(11), 80)).toBe(
      `${'x'.repeat(30)}… shortened: 55 more characters`,
    );
    expect(cutEscaped(`${'x'.repeat(30)}<https://a.example/|a b>${'y'.repeat(40)}`, 80)).toBe(
      `${'x'.repeat(30)}… shortened: 64 more characters`,
    );
    expect(cutEscaped(`${'x'.repeat(31)}😀${'y'.repeat(60)}`, 80)).toBe(
      `${'x'.repeat(31)}… shortened: 62 more characters`,
    );
  });

  it('has its code closed', () => {
    expect(cutEscaped(`\`\`\`\n${'x'.repeat(200)}`, 80)).toBe(
      `\`\`\`\n${'x'.repeat(28)}\n\`\`\`\n… shortened: 172 more characters`,
    );
  });

  it('stays as it is where it fits', () => {
    expect(cutEscaped('as it is', 8)).toBe('as it is');
  });

  it('keeps within any length, in characters and in bytes, and tears nothing', () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 500 }), (text, max) => {
        const escaped = literal(text);
        const cut = cutEscaped(escaped, max);
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(unsafeSpots({ text: cut })).toEqual([]);
        expect(Buffer.byteLength(cutEscapedBytes(escaped, max))).toBeLessThanOrEqual(max);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAtWord, oneLine } from '../../src/lib/text.ts';
import { anyCodePoint } from '../support/code-point.ts';

const anyText = fc.oneof(
  fc.string({ unit: anyCodePoint, maxLength: 60 }),
  fc
    .array(fc.constantFrom('🙂', 'word', ' ', 'ä', '\n', 'שלום', '👩‍👩‍👧'), { maxLength: 30 })
    .map((parts) => parts.join('')),
);

describe('cutAtWord', () => {
  it('leaves alone what fits', () => {
    expect(cutAtWord('CPU is high', 11)).toBe('CPU is high');
  });

  it('cuts at a word, and says that it did', () => {
    expect(cutAtWord('the database grew slow today', 20)).toBe('the database grew…');
  });

  it('leaves no stop before its mark', () => {
    expect(cutAtWord('the database, slow. Today it is worse', 22)).toBe('the database, slow…');
  });

  it('cuts inside a word that is longer than a quarter of the room', () => {
    expect(cutAtWord(`at ${'x'.repeat(50)}`, 20)).toBe(`at ${'x'.repeat(16)}…`);
  });

  it('does not leave half an emoji', () => {
    expect(cutAtWord('ab🙂🙂', 4)).toBe('ab…');
  });

  it('is never longer than asked for', () => {
    fc.assert(
      fc.property(anyText, fc.nat(50), (text, max) => cutAtWord(text, max).length <= Math.max(max, 0)),
    );
  });

  it('never makes an unpaired surrogate', () => {
    fc.assert(fc.property(anyText, fc.nat(50), (text, max) => cutAtWord(text, max).isWellFormed()));
  });

  it('keeps the beginning, and marks every cut', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 50 }), (text, max) => {
        const cut = cutAtWord(text, max);
        return text.length <= max ? cut === text : cut.endsWith('…') && text.startsWith(cut.slice(0, -1));
      }),
    );
  });
});

describe('oneLine', () => {
  it('makes one line of many', () => {
    expect(oneLine('  CPU\r\n is\t\thigh \n')).toBe('CPU is high');
  });
});
